import type { EventKind } from '../../client/src/index.ts';
import type {
  BatchFormat,
  Coupon,
  Key,
  PayoutBatch,
  PayoutRunOutcome,
  PayoutStatus,
  Registration,
  Scope,
  StoreConnection,
  StoreNotification,
  Webhook,
  WebhookDelivery,
} from './records.ts';
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

export const methodTitles: Record<string, string> = {
  paypal: 'PayPal',
  banktransfer: 'Bank transfer',
  stripeapi: 'Stripe',
  wisebank: 'Wise',
  credit: 'Store credit',
  custom: 'Custom',
};

export const batchFormats: Record<BatchFormat, string> = {
  sepa: 'SEPA file',
  paypal: 'PayPal file',
  'wise-email': 'Wise file (by e-mail)',
  'wise-saved': 'Wise file (saved recipients)',
  csv: 'CSV file',
};

export const batchStatuses: Record<PayoutBatch['status'], Explained> = {
  open: { label: 'Open', tone: 'info', meaning: 'Its payouts are on their way.' },
  paid: { label: 'Paid', tone: 'good', meaning: 'The bank paid it.' },
  cancelled: { label: 'Cancelled', tone: 'off', meaning: 'It must not be sent.' },
};

export const runOutcomes: Record<PayoutRunOutcome['outcome'], Explained> = {
  requested: { label: 'Due', tone: 'good', meaning: 'It is requested by this run.' },
  existing: { label: 'Open already', tone: 'wait', meaning: 'It was requested before, or is on its way.' },
  refused: { label: 'Not possible', tone: 'off', meaning: 'The rules of the program do not allow it now.' },
};

export const couponStatuses: Record<Coupon['status'], Explained> = {
  publish: { label: 'Published', tone: 'good', meaning: 'Customers can use it.' },
  draft: { label: 'Draft', tone: 'wait', meaning: 'Customers cannot use it yet.' },
  private: { label: 'Private', tone: 'off', meaning: 'Only the store can use it.' },
};

export const affiliateStatuses = {
  active: { label: 'Active', tone: 'good', meaning: 'Can sign in.' },
  disabled: { label: 'Disabled', tone: 'bad', meaning: 'Cannot sign in. Coupons and commission stay.' },
} as const satisfies Record<string, Explained>;

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

export const deliveryStatuses: Record<WebhookDelivery['status'], Explained> = {
  pending: { label: 'Waiting', tone: 'wait', meaning: 'It is sent, or tried again later.' },
  delivered: { label: 'Delivered', tone: 'good', meaning: 'The receiver accepted it.' },
  failed: { label: 'Failed', tone: 'bad', meaning: 'The receiver never accepted it.' },
};

export const connectionStatuses: Record<StoreConnection['status'], Explained> = {
  active: { label: 'Connected', tone: 'good', meaning: 'What the shop sends is recorded.' },
  without_secret: { label: 'Secret missing', tone: 'bad', meaning: 'Everything is refused until the secret is entered.' },
  disconnected: { label: 'Disconnected', tone: 'off', meaning: 'What the shop sends is refused.' },
};

export const notificationOutcomes: Record<StoreNotification['outcome'], Explained> = {
  created: { label: 'Recorded', tone: 'good', meaning: 'The order is new.' },
  updated: { label: 'Changed', tone: 'good', meaning: 'The order was known and has changed.' },
  unchanged: { label: 'Unchanged', tone: 'off', meaning: 'Nothing about the order was new.' },
  ignored: { label: 'Ignored', tone: 'off', meaning: 'The order belongs to no affiliate.' },
  refused: { label: 'Refused', tone: 'bad', meaning: 'It could not be recorded.' },
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

/** Green where somebody earns or is paid, red where something is taken away. */
export function describeKind(kind: EventKind): Explained {
  const isLoss = /removed|decline|cancelled|failed|reversed|disabled|revoked/.test(kind);
  const isGain = /added|paid|accept/.test(kind);
  const tone = technicalKinds.has(kind) ? 'off' : isLoss ? 'bad' : isGain ? 'good' : 'info';
  return { label: kindNames[kind] ?? kind, tone, meaning: '' };
}

/** What concerns developers and operators only. */
export const technicalKinds: ReadonlySet<EventKind> = new Set([
  'api_key_created',
  'api_key_revoked',
  'webhook_created',
  'webhook_disabled',
  'app_password_created',
  'app_password_revoked',
  'ledger_sealed',
  'settings_changed',
]);
