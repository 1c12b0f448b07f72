// Generated from openapi/ by `npm run generate`. Do not edit: change the YAML and generate again.

export const webhookEvents = {
  'referral.created': { description: 'A referred order was attributed to an affiliate.', edition: 'pro', addOns: ['webhooks'], feedKind: 'referral' },
  'commission.added': { description: 'Commission was granted to an affiliate.', edition: 'pro', addOns: ['webhooks'], feedKind: 'commission_added' },
  'commission.removed': { description: 'Commission was taken back from an affiliate.', edition: 'pro', addOns: ['webhooks'], feedKind: 'commission_removed' },
  'commission.mla_added': {
    description: 'A multi-level parent was granted a share of a recruit\'s commission.',
    edition: 'pro',
    addOns: ['webhooks', 'multi_level'],
    feedKind: 'mla_commission_added',
  },
  'commission.mla_removed': {
    description: 'A multi-level parent\'s share was taken back.',
    edition: 'pro',
    addOns: ['webhooks', 'multi_level'],
    feedKind: 'mla_commission_removed',
  },
  'registration.created': { description: 'A person applied to the program.', edition: 'pro', addOns: ['webhooks'], feedKind: 'registration' },
  'registration.accepted': { description: 'An application was accepted.', edition: 'pro', addOns: ['webhooks'], feedKind: 'registration_accept' },
  'registration.declined': { description: 'An application was declined.', edition: 'pro', addOns: ['webhooks'], feedKind: 'registration_decline' },
  'affiliate.created': { description: 'A user became an affiliate.', edition: 'pro', addOns: ['webhooks'], feedKind: 'affiliate_created' },
  'affiliate.payout_details_updated': {
    description: 'An affiliate\'s payout details were updated.',
    edition: 'pro',
    addOns: ['webhooks', 'payouts'],
    feedKind: 'payout_details',
  },
  'payout.requested': { description: 'A payout was requested.', edition: 'pro', addOns: ['webhooks', 'payouts'], feedKind: 'payout_request' },
  'payout.created': { description: 'A payout was handed to its payment method.', edition: 'pro', addOns: ['webhooks', 'payouts'], feedKind: 'payout_created' },
  'payout.pending': { description: 'A payout was put back to waiting.', edition: 'pro', addOns: ['webhooks', 'payouts'], feedKind: 'payout_pending' },
  'payout.paid': { description: 'A payout was marked as paid.', edition: 'pro', addOns: ['webhooks', 'payouts'], feedKind: 'payout_paid' },
  'payout.reversed': { description: 'A paid payout was opened again.', edition: 'pro', addOns: ['webhooks', 'payouts'], feedKind: 'payout_reversed' },
  'payout.cancelled': {
    description: 'A payout was cancelled and its amount is unpaid again.',
    edition: 'pro',
    addOns: ['webhooks', 'payouts'],
    feedKind: 'payout_cancelled',
  },
  'payout.reopened': { description: 'A cancelled payout was opened again.', edition: 'pro', addOns: ['webhooks', 'payouts'], feedKind: 'payout_reopened' },
  ping: {
    description: 'A test delivery. It is sent by `POST /webhooks/{id}/test` alone and cannot be subscribed to.',
    edition: 'pro',
    addOns: ['webhooks'],
    feedKind: null,
  },
} as const;

export const eventKinds = [
  'referral',
  'commission_added',
  'commission_removed',
  'mla_commission_added',
  'mla_commission_removed',
  'registration',
  'registration_accept',
  'registration_decline',
  'affiliate_created',
  'payout_request',
  'payout_created',
  'payout_pending',
  'payout_paid',
  'payout_reversed',
  'payout_cancelled',
  'payout_reopened',
  'payout_details',
  'api_key_created',
  'api_key_revoked',
  'webhook_created',
  'webhook_disabled',
  'coupon_transferred',
  'user_disabled',
  'user_enabled',
  'app_password_created',
  'app_password_revoked',
] as const;

export type WebhookEvent = keyof typeof webhookEvents;
export type EventKind = (typeof eventKinds)[number];
