import type { components } from '../../client/src/index.ts';

type Schemas = components['schemas'];

export type Me = Schemas['Me'];
export type CouponDetail = Schemas['CouponDetail'];
export type AffiliateDetail = Schemas['AffiliateDetail'];
export type Order = Schemas['Order'];
export type Payout = Schemas['Payout'];
export type PayoutStatus = Payout['status'];
export type SalesStep = Schemas['SalesStep'];
