import { addDays } from '../dates.ts';
import { groupBy } from '../group-by.ts';
import { inWords } from '../money.ts';
import type { Detection } from './detect-orders.ts';
import type { DoubtfulPayout, PayoutLoss } from './facts.ts';
import { dayMs, formatCount, formatShare, hourMs, isAtLeast, type RiskRules } from './rules.ts';
import type { Finding } from './signal.ts';

/** How long a payment is looked at, beyond the days in which refunds count. */
const lookBackDays = 30;
/** How old the orders of a payout may be. */
const orderDays = 180;

export async function detectPayoutLosses(userIds: readonly number[], { facts, rules, now, today }: Detection): Promise<Finding[]> {
  const { orders, percent, days } = rules.refundAfterPayout;
  const paidAfter = now - (days + lookBackDays) * dayMs;
  const ordersFrom = addDays(today, -(days + lookBackDays + orderDays));
  const losses = await facts.payoutLosses(userIds, { paidAfter, ordersFrom, withinMs: days * dayMs });
  return [...groupBy(losses, ({ payoutId }) => payoutId).values()].flatMap((own) => {
    const [first] = own;
    const lost = own.reduce((sum, loss) => sum + loss.lost, 0);
    return first && own.length >= orders && isAtLeast(lost, first.amount, percent) ? [payoutLossFinding(first, own, lost, rules)] : [];
  });
}

function payoutLossFinding(
  { payoutId, userId, couponId, amount }: PayoutLoss,
  own: readonly PayoutLoss[],
  lost: number,
  { currency, refundAfterPayout: { days } }: RiskRules,
): Finding {
  const share = `${inWords(lost, currency)}, ${formatShare(lost, amount)} of payout ${payoutId}`;
  return {
    kind: 'refund_after_payout',
    userId,
    couponId,
    text: (count) =>
      `Commission of ${share}, was taken back within ${days} days after it was paid, for refunds and cancellations: ${formatCount(count, 'order')}.`,
    occurrences: own.map((loss) => ({
      key: `payout ${payoutId} order ${loss.orderId}`,
      text: `Order ${loss.orderId} lost ${inWords(loss.lost, currency)} after payout ${payoutId} was paid.`,
      orderId: loss.orderId,
      payoutId,
      at: loss.at,
    })),
  };
}

/** Paid payouts of so many days are looked at, because an automatic one is never seen open. */
const paidDays = 7;

/** What speaks against payouts that are open, or were requested lately. */
export async function detectDoubtfulPayouts({ facts, rules, today }: Detection): Promise<Finding[]> {
  const within = { paidFrom: addDays(today, -paidDays), replacedWithinMs: rules.detailsChanged.hours * hourMs };
  const payouts = await facts.doubtfulPayouts(within);
  return payouts.flatMap((payout) => [
    ...(payout.isOpen && payout.unpaid < 0 && rules.enabled.has('debt') ? [debtFinding(payout, rules)] : []),
    ...(rules.enabled.has('details_changed') ? listChanges(payout).map((change) => changedFinding(payout, change, rules)) : []),
  ]);
}

const debtFinding = ({ payoutId, userId, couponId, requestedAt, unpaid }: DoubtfulPayout, { currency }: RiskRules): Finding => ({
  kind: 'debt',
  userId,
  couponId,
  text: (count) =>
    `The unpaid commission over all coupons is ${inWords(unpaid, currency)} while a payout is open: ${formatCount(count, 'payout')}.`,
  occurrences: [
    {
      key: `payout ${payoutId}`,
      text: `Payout ${payoutId} is open while the affiliate owes ${inWords(-unpaid, currency)}.`,
      orderId: null,
      payoutId,
      at: requestedAt,
    },
  ],
});

interface DetailsChange {
  key: 'details' | 'email';
  text: string;
  at: number;
}

const listChanges = ({ replacedAt, emailChangedAt }: DoubtfulPayout): DetailsChange[] => [
  ...(replacedAt === null ? [] : [{ key: 'details', text: 'The payout details were replaced', at: replacedAt } as const]),
  ...(emailChangedAt === null ? [] : [{ key: 'email', text: 'The email address was changed', at: emailChangedAt } as const]),
];

function changedFinding(
  { payoutId, userId, requestedAt }: DoubtfulPayout,
  { key, text, at }: DetailsChange,
  { detailsChanged: { hours } }: RiskRules,
): Finding {
  const before = Math.floor((requestedAt - at) / hourMs);
  const when =
    at > requestedAt ? `after payout ${payoutId} was requested` : `${formatCount(before, 'hour')} before payout ${payoutId} was requested`;
  return {
    kind: 'details_changed',
    userId,
    couponId: null,
    text: (count) =>
      `Payout details${key === 'email' ? ' or the email address' : ''} were replaced within ${hours} hours before a request, or after it: ${formatCount(count, 'time')}.`,
    occurrences: [
      {
        // Once for all payouts: a dismissal covers those that are requested later.
        key: `${key} at ${at}`,
        text: `${text} ${when}.`,
        orderId: null,
        payoutId,
        at,
      },
    ],
  };
}
