import type { EventKind } from '../../client/src/index.ts';
import type { Coupon, Key, PayoutStatus, Registration, Scope, Webhook } from './records.ts';
import type { Explained } from './words.ts';

/** The changes that the service accepts, by status. */
export const payoutChanges: Record<PayoutStatus, readonly PayoutStatus[]> = {
  pending: ['paid', 'created', 'cancel'],
  created: ['paid', 'pending', 'cancel'],
  paid: ['created', 'pending', 'cancel'],
  cancel: ['pending', 'created'],
};

export const payoutActions: Record<PayoutStatus, string> = {
  paid: 'Mark as paid',
  created: 'Mark as on its way',
  pending: 'Set back to requested',
  cancel: 'Cancel payout',
};

export const couponStatuses: Record<Coupon['status'], Explained> = {
  publish: { label: 'Published', tone: 'good', meaning: 'Customers can use it.' },
  draft: { label: 'Draft', tone: 'wait', meaning: 'Customers cannot use it yet.' },
  private: { label: 'Private', tone: 'off', meaning: 'Only the store can use it.' },
};

export const registrationStatuses: Record<Registration['status'], Explained> = {
  pending: { label: 'Waiting', tone: 'wait', meaning: 'Waits for a decision.' },
  accepted: { label: 'Accepted', tone: 'good', meaning: 'The applicant is an affiliate.' },
  declined: { label: 'Declined', tone: 'off', meaning: 'It can still be accepted.' },
};

export const keyStatuses: Record<Key['status'], Explained> = {
  active: { label: 'Active', tone: 'good', meaning: 'It works.' },
  revoked: { label: 'Revoked', tone: 'off', meaning: 'It does not work any more.' },
  expired: { label: 'Expired', tone: 'off', meaning: 'Its last day is over.' },
};

export const webhookStatuses: Record<Webhook['status'], Explained> = {
  active: { label: 'Active', tone: 'good', meaning: 'It gets its events.' },
  disabled: { label: 'Disabled', tone: 'bad', meaning: 'It gets nothing until it is active again.' },
};

export const scopes: Record<Scope, string> = {
  read: 'Read: see affiliates, coupons, orders, payouts and statistics',
  write: 'Write: request payouts, change their status, decide on applications',
  manage: 'Manage: create and revoke keys, manage webhooks',
};

/** The kinds of the feed. */
export const kindNames: Record<EventKind, string> = {
  referral: 'Order referred',
  commission_added: 'Commission added',
  commission_removed: 'Commission removed',
  mla_commission_added: 'Multi-level commission added',
  mla_commission_removed: 'Multi-level commission removed',
  registration: 'Application sent',
  registration_accept: 'Application accepted',
  registration_decline: 'Application declined',
  affiliate_created: 'Affiliate created',
  payout_request: 'Payout requested',
  payout_created: 'Payout on its way',
  payout_pending: 'Payout set back to requested',
  payout_paid: 'Payout paid',
  payout_reversed: 'Payout reversed',
  payout_cancelled: 'Payout cancelled',
  payout_reopened: 'Payout re-opened',
  payout_failed: 'Payout failed',
  payout_details: 'Payout details saved',
  api_key_created: 'API key created',
  api_key_revoked: 'API key revoked',
  webhook_created: 'Webhook created',
  webhook_disabled: 'Webhook disabled',
  coupon_transferred: 'Coupon transferred',
  user_disabled: 'User disabled',
  user_enabled: 'User enabled',
  app_password_created: 'Application password created',
  app_password_revoked: 'Application password revoked',
  ledger_sealed: 'Ledger sealed',
  settings_changed: 'Settings changed',
};
