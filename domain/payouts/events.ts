import { webhookEvents } from '../../generated/events.ts';
import { localDateTime } from '../dates.ts';
import type { NewEvent } from '../events/event.ts';
import { inWords, toNumber } from '../money.ts';
import type { ChangeContext } from '../orders/change-context.ts';
import type { NamedPayout } from './payout.ts';
import { type PayoutTransition, publicStatus } from './transitions.ts';

export type PayoutEventType = NonNullable<PayoutTransition['event']>;

const verbs: Record<PayoutEventType, string> = {
  'payout.requested': 'was requested',
  'payout.created': 'was sent to its payment method',
  'payout.pending': 'is pending again',
  'payout.paid': 'was paid',
  'payout.reversed': 'was opened again after it had been paid',
  'payout.cancelled': 'was cancelled',
  'payout.reopened': 'was opened again',
};

/** The event of a transition, for the feed and for webhooks. Never contains the destination. */
export function payoutEvent(payout: NamedPayout, event: PayoutEventType, { program, now, userId }: ChangeContext): NewEvent {
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
      // A payout that goes to a gateway is `pending` here too: the gateway's result is an event of its own.
      status: event === 'payout.requested' ? 'pending' : publicStatus(payout.status),
      date: localDateTime(payout.requestedAt, zone),
      date_paid: paidAt === null ? null : localDateTime(paidAt, zone),
    },
    at: now,
  };
}
