import type { components } from '../../client/src/index.ts';

type Schemas = components['schemas'];

export type Me = Schemas['Me'];
export type Coupon = Schemas['Coupon'];
export type CouponDetail = Schemas['CouponDetail'];
export type Affiliate = Schemas['Affiliate'];
export type AffiliateDetail = Schemas['AffiliateDetail'];
export type Order = Schemas['Order'];
export type Explanation = Schemas['CommissionExplanation'];
export type Payout = Schemas['Payout'];
export type PayoutStatus = Payout['status'];
export type OwnPayoutDetails = Schemas['OwnPayoutDetails'];
export type PayoutDetailsField = Schemas['PayoutDetailsField'];
export type Registration = Schemas['Registration'];
export type Webhook = Schemas['Webhook'];
export type Key = Schemas['Key'];
export type Scope = Key['scopes'][number];
export type ReportSummary = Schemas['ReportSummary'];
export type SalesStep = Schemas['SalesStep'];
