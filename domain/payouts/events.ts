import { webhookEvents } from '../../generated/events.ts';
import { localDateTime } from '../dates.ts';
import type { NewEvent } from '../events/event.ts';
import { inWords, toNumber } from '../money.ts';
import type { Surroundings } from '../orders/surroundings.ts';
import type { NamedPayout } from './payout.ts';
import { readsAs, type Step } from './steps.ts';

export type PayoutEvent = NonNullable<Step['event']>;

const verbs: Record<PayoutEvent, string> = {
  'payout.requested': 'was requested',
  'payout.created': 'was handed to its payment method',
  'payout.pending': 'waits again',
  'payout.paid': 'was paid',
  'payout.reversed': 'was opened again after it had been paid',
  'payout.cancelled': 'was cancelled',
  'payout.reopened': 'was opened again',
};

/** What the feed and the webhooks tell of a payout that has just taken a step. Never where it goes to. */
export function payoutNews(payout: NamedPayout, event: PayoutEvent, { program, now, userId }: Surroundings): NewEvent {
  const { id, amount, couponId, couponCode, paidAt } = payout;
  const { currency, zone } = program;
  return {
    kind: webhookEvents[event].feedKind,
    type: event,
    objectType: 'payout',
    objectId: id,
    userId,
    info: `Payout ${id} of ${inWords(amount, currency)} for ${couponCode} ${verbs[event]}.`,
    data: {
      payout_id: id,
      user_id: payout.userId,
      coupon_id: couponId,
      amount: toNumber(amount, currency),
      method: payout.method,
      method_type: payout.methodType,
      // Whoever is told of the request is told of the next step as well, if there is one: it begins as pending for everybody.
      status: event === 'payout.requested' ? 'pending' : readsAs(payout.status),
      date: localDateTime(payout.requestedAt, zone),
      date_paid: paidAt === null ? null : localDateTime(paidAt, zone),
    },
    at: now,
  };
}
