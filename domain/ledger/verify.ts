import type { Minor } from '../money.ts';
import type { Stores } from '../ports.ts';
import type { BrokenMovement, WrongBalance } from './store.ts';

export interface Verification {
  wrongBalances: WrongBalance[];
  brokenMovements: BrokenMovement[];
  /** A sentence for each of them; none when all is well. */
  sentences: string[];
}

/** Works all balances out anew from the ledger and names every difference. `written` turns an amount into text. */
export async function verifyLedger({ ledger }: Pick<Stores, 'ledger'>, written: (amount: Minor) => string): Promise<Verification> {
  const wrongBalances = await ledger.wrongBalances();
  const brokenMovements = await ledger.brokenMovements();
  const sentences = [
    ...wrongBalances.map(
      ({ couponId, code, pool, kept, inLedger }) =>
        `Coupon ${couponId} (${code}): ${pool} is kept as ${written(kept)}, but its movements sum to ${written(inLedger)}.`,
    ),
    ...brokenMovements.map(({ movement, rows, sum }) => `Movement ${movement} has ${rows} rows that sum to ${written(sum)}.`),
  ];
  return { wrongBalances, brokenMovements, sentences };
}
