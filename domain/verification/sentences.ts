import type {
  BrokenMovement,
  PayoutFlaw,
  RowFlaw,
  StrangePayout,
  StrangeRow,
  WrongBalance,
  WrongCount,
  WrongSum,
} from '../ledger/checks.ts';
import type { Minor } from '../money.ts';

/** How each finding reads. `written` turns an amount into text. */
export const createSentences = (written: (amount: Minor) => string) => ({
  wrongBalance: ({ couponId, code, pool, kept, inLedger }: WrongBalance): string =>
    `Coupon ${couponId} (${code}): ${pool} is stored as ${written(kept)}, but its movements add up to ${written(inLedger)}.`,

  brokenMovement: ({ movement, rows, sum, differing }: BrokenMovement): string =>
    rows !== 2 || sum !== 0
      ? `Movement ${movement} has ${rows} rows that add up to ${written(sum)}.`
      : `The two rows of movement ${movement} do not agree: ${differing.join(', ')}.`,

  strangeRow: ({ id, movement, flaw, value }: StrangeRow): string =>
    `Row ${id} of the ledger (movement ${movement}) ${flawsOfRows[flaw](value)}.`,

  wrongOrder: ({ id, couponId, pool, said, moved }: WrongSum): string =>
    pool === 'store'
      ? `Order ${id} (coupon ${couponId}) is reversed, but its commission is ${written(said)}.`
      : `Order ${id} (coupon ${couponId}) should have ${written(said)} in ${pool}, but its movements add up to ${written(moved)}.`,

  wrongShare: ({ id, couponId, pool, said, moved }: WrongSum): string =>
    `The share of coupon ${couponId} in order ${id} should have ${written(said)} in ${pool}, but its movements add up to ${written(moved)}.`,

  wrongPayout: ({ id, couponId, pool, said, moved }: WrongSum): string =>
    `Payout ${id} (coupon ${couponId}) should have ${written(said)} in ${pool}, but its movements add up to ${written(moved)}.`,

  wrongAdjustment: ({ id, couponId, pool, said, moved }: WrongSum): string =>
    id === 0
      ? `The ledger has adjustments of ${written(moved)} in ${pool} of coupon ${couponId} that are not recorded as adjustments.`
      : `Adjustment ${id} (coupon ${couponId}) should have ${written(said)} in ${pool}, but its movements add up to ${written(moved)}.`,

  strangePayout: ({ id, couponId, amount, status, flaw }: StrangePayout): string =>
    `Payout ${id} of ${written(amount)} (coupon ${couponId}) is ${status}, ${flawsOfPayouts[flaw]}.`,

  wrongCount: ({ scope, scopeId, day, status, kept, counted, keptAmount, countedAmount }: WrongCount): string =>
    `Payouts of ${scope}${scopeId === 0 ? '' : ` ${scopeId}`} on ${day} that are ${status}: ${kept} (${written(keptAmount)}) are stored, but ${counted} (${written(countedAmount)}) exist.`,
});

const flawsOfRows: Record<RowFlaw, (value: string) => string> = {
  pool: (pool) => `is in the pool "${pool}", which does not exist`,
  reason: (reason) => `has the reason "${reason}", which does not exist`,
  coupon: (id) => `is of coupon ${id}, which does not exist`,
  purpose: (reason) => `has the reason "${reason}", but not exactly the order or payout that this reason needs`,
  order: (id) => `is for order ${id}, which does not exist`,
  payout: (id) => `is for payout ${id}, which does not exist`,
  user: (id) => `was caused by user ${id}, who does not exist`,
  note: () => 'has no note',
  amount: (id) => `moves another amount than payout ${id} has`,
};

const flawsOfPayouts: Record<PayoutFlaw, string> = {
  'no movements': 'but has no movements',
  'paid without a day': 'but has no date of payment',
  'a day without being paid': 'but has a date of payment',
};
