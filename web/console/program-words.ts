import type { EventKind } from '../../client/src/index.ts';
import { type WebhookEvent, webhookEvents } from '../../generated/events.ts';
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

/** What is done with a file. */
export const sendWords: Record<BatchFormat, string> = {
  sepa: 'send it to your bank',
  paypal: 'upload it at PayPal',
  'wise-email': 'upload it at Wise',
  'wise-saved': 'upload it at Wise',
  csv: 'pay what is in it',
};

export const batchStatuses: Record<PayoutBatch['status'], Explained> = {
  open: { label: 'Open', tone: 'info', meaning: 'Its payouts are on their way.' },
  paid: { label: 'Paid', tone: 'good', meaning: 'Recorded as paid.' },
  cancelled: { label: 'Cancelled', tone: 'off', meaning: 'It must not be sent.' },
};

export const runOutcomes: Record<PayoutRunOutcome['outcome'], Explained> = {
  requested: { label: 'Can be paid', tone: 'good', meaning: 'It is requested by this run.' },
  existing: { label: 'Open already', tone: 'wait', meaning: 'It was requested before, or is on its way.' },
  refused: { label: 'Not now', tone: 'off', meaning: 'The rules of the program do not allow it now.' },
};

/** Why a payout cannot be requested, as the name of a sum. */
export const refusalNames: Record<string, string> = {
  svc_api_below_threshold: 'Below the smallest payout',
  svc_api_no_payout_details: 'Payout details missing',
  svc_api_method_disabled: 'Method no longer offered',
  svc_api_invoice_required: 'Invoice missing',
  svc_api_no_affiliate: 'Coupon without an affiliate',
  svc_api_payouts_disabled: 'Payouts are switched off',
};

export const couponStatuses: Record<Coupon['status'], Explained> = {
  publish: { label: 'Active', tone: 'good', meaning: 'Customers can use it.' },
  draft: { label: 'Paused', tone: 'wait', meaning: 'Customers cannot use it.' },
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

/** Of a connection that has sent nothing yet. */
export const undelivered: Explained = { label: 'Waiting for the first order', tone: 'wait', meaning: 'Nothing was sent yet.' };

export const notificationOutcomes: Record<StoreNotification['outcome'], Explained> = {
  created: { label: 'Recorded', tone: 'good', meaning: 'The order is new.' },
  updated: { label: 'Changed', tone: 'good', meaning: 'The order was known and has changed.' },
  unchanged: { label: 'Unchanged', tone: 'off', meaning: 'Nothing about the order was new.' },
  ignored: { label: 'Ignored', tone: 'off', meaning: 'The order belongs to no affiliate.' },
  refused: { label: 'Refused', tone: 'bad', meaning: 'It could not be recorded.' },
};

/** What a key may do, in words. */
export const scopes: Record<Scope, { label: string; may: string; meaning: string }> = {
  read: { label: 'Read', may: 'see data', meaning: 'See affiliates, coupons, orders, payouts and statistics.' },
  write: {
    label: 'Write',
    may: 'change payouts and orders',
    meaning: 'Request payouts and change their status, decide on applications, record orders.',
  },
  manage: {
    label: 'Manage',
    may: 'manage keys, webhooks and settings',
    meaning: 'Create and revoke keys, manage webhooks, change settings.',
  },
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
  affiliate_updated: 'Affiliate changed',
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
  risk_signal_opened: 'Risk found',
  risk_signal_decided: 'Risk decided',
};

/** The name of an event of webhooks for people. The feed calls it the same. */
export function nameEvent(event: string): string {
  if (!Object.hasOwn(webhookEvents, event)) return event;
  const { feedKind } = webhookEvents[event as WebhookEvent];
  return feedKind === null ? 'Test' : kindNames[feedKind];
}

/** Groups of events by what they are about, in the order of a program. */
export const eventGroups: Record<string, RegExp> = {
  'Orders and commission': /^(referral|commission)\./,
  Payouts: /^payout\./,
  'Affiliates and applications': /^(affiliate|registration)\./,
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
