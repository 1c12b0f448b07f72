import type { Minor } from '../money.ts';
import type { WrongCount, WrongPool } from '../payouts/store.ts';
import type { BrokenMovement, PayoutFlaw, RowFlaw, StrangePayout, StrangeRow, WrongBalance, WrongSum } from './checks.ts';

/** How each finding reads. `written` turns an amount into text. */
export const createSentences = (written: (amount: Minor) => string) => ({
  wrongBalance: ({ couponId, code, pool, kept, inLedger }: WrongBalance): string =>
    `Coupon ${couponId} (${code}): ${pool} is kept as ${written(kept)}, but its movements sum to ${written(inLedger)}.`,

  brokenMovement: ({ movement, rows, sum, differing }: BrokenMovement): string =>
    rows !== 2 || sum !== 0
      ? `Movement ${movement} has ${rows} rows that sum to ${written(sum)}.`
      : `The two rows of movement ${movement} do not agree: ${differing.join(', ')}.`,

  strangeRow: (row: StrangeRow): string => `Row ${row.id} of the ledger (movement ${row.movement}) ${flawOfRow(row, written)}.`,

  wrongOrder: ({ id, couponId, pool, said, moved }: WrongSum): string =>
    pool === 'store'
      ? `Order ${id} (coupon ${couponId}) is reversed, but its commission is ${written(said)}.`
      : `Order ${id} (coupon ${couponId}) says ${written(said)} in ${pool}, but its movements put ${written(moved)} there.`,

  wrongShare: ({ id, couponId, pool, said, moved }: WrongSum): string =>
    `The share of coupon ${couponId} in order ${id} says ${written(said)} in ${pool}, but its movements put ${written(moved)} there.`,

  wrongPayout: ({ id, couponId, pool, said, moved }: WrongSum): string =>
    `Payout ${id} (coupon ${couponId}) says ${written(said)} in ${pool}, but its movements put ${written(moved)} there.`,

  strangePayout: ({ id, couponId, amount, status, flaw }: StrangePayout): string =>
    `Payout ${id} of ${written(amount)} (coupon ${couponId}) is ${status}, ${flawsOfPayouts[flaw]}.`,

  wrongPool: ({ couponId, code, pool, kept, inPayouts }: WrongPool): string =>
    `Coupon ${couponId} (${code}): ${pool} is kept as ${written(kept)}, but its payouts sum to ${written(inPayouts)}.`,

  wrongCount: ({ scope, scopeId, day, status, kept, counted, keptAmount, countedAmount }: WrongCount): string =>
    `Payouts of ${scope}${scopeId === 0 ? '' : ` ${scopeId}`} on ${day} that are ${status}: ${kept} of ${written(keptAmount)} are kept, ${counted} of ${written(countedAmount)} were counted.`,
});

function flawOfRow(row: StrangeRow, written: (amount: Minor) => string): string {
  const flaws: Record<RowFlaw, () => string> = {
    pool: () => `is in the pool "${row.pool}", which there is not`,
    reason: () => `has the reason "${row.reason}", which there is not`,
    coupon: () => `is of coupon ${row.couponId}, which there is not`,
    purpose: () =>
      `has the reason "${row.reason}" with ${subjectOf(row)}; ${row.reason === 'payout' ? 'a payout' : 'an order'} alone belongs there`,
    order: () => `is for order ${row.orderId}, which there is not`,
    payout: () => `is for payout ${row.payoutId}, which there is not`,
    user: () => `was caused by user ${row.userId}, whom there is not`,
    note: () => 'does not say why',
    amount: () => `moves ${written(row.amount)} for payout ${row.payoutId}, which is one of ${written(row.payoutAmount ?? 0)}`,
  };
  return flaws[row.flaw]();
}

const subjectOf = ({ orderId, payoutId }: StrangeRow): string =>
  [orderId === null ? 'no order' : `order ${orderId}`, payoutId === null ? 'no payout' : `payout ${payoutId}`].join(' and ');

const flawsOfPayouts: Record<PayoutFlaw, string> = {
  'no movements': 'but has no movements',
  'paid without a day': 'but does not say when it was paid',
  'a day without being paid': 'but says when it was paid',
};
