import type { Minor } from '../money.ts';
import type { Stores } from '../ports.ts';

/** A sentence for each difference; none when all is well. */
export interface Verification {
  /** Balances of coupons that are not what their movements say. */
  wrongBalances: string[];
  /** Movements whose rows are not two that sum to zero. */
  brokenMovements: string[];
  /** Pools that do not hold what the coupon's payouts say. */
  wrongPools: string[];
  /** Counts of payouts that do not agree with the payouts. */
  wrongCounts: string[];
}

type Checked = Pick<Stores, 'ledger' | 'payouts'>;

/** Works everything out anew, from the ledger and from the payouts, and names every difference. `written` turns an amount into text. */
export async function verifyLedger({ ledger, payouts }: Checked, written: (amount: Minor) => string): Promise<Verification> {
  const balances = await ledger.wrongBalances();
  const movements = await ledger.brokenMovements();
  const pools = await payouts.wrongPools();
  const counts = await payouts.wrongCounts();
  return {
    wrongBalances: balances.map(
      ({ couponId, code, pool, kept, inLedger }) =>
        `Coupon ${couponId} (${code}): ${pool} is kept as ${written(kept)}, but its movements sum to ${written(inLedger)}.`,
    ),
    brokenMovements: movements.map(({ movement, rows, sum }) => `Movement ${movement} has ${rows} rows that sum to ${written(sum)}.`),
    wrongPools: pools.map(
      ({ couponId, code, pool, kept, inPayouts }) =>
        `Coupon ${couponId} (${code}): ${pool} is kept as ${written(kept)}, but its payouts sum to ${written(inPayouts)}.`,
    ),
    wrongCounts: counts.map(
      ({ scope, scopeId, day, status, kept, counted, keptAmount, countedAmount }) =>
        `Payouts of ${scope}${scopeId === 0 ? '' : ` ${scopeId}`} on ${day} that are ${status}: ${kept} of ${written(keptAmount)} are kept, ${counted} of ${written(countedAmount)} were counted.`,
    ),
  };
}

export const sentencesOf = (verification: Verification): string[] => Object.values(verification).flat();
