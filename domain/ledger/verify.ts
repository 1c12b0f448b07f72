import type { Minor } from '../money.ts';
import type { Stores } from '../ports.ts';
import type { TopFindings } from './checks.ts';
import { createSentences } from './sentences.ts';

/** Of each kind a sentence for each difference, and after the first few one that counts the rest. None when all is well. */
export interface Verification {
  /** The total of differences, including those not listed. */
  total: number;
  /** Balances of coupons that are not what their movements say. */
  wrongBalances: string[];
  /** Movements whose rows are not two matching rows that sum to zero. */
  brokenMovements: string[];
  /** Rows whose pool, reason, coupon, order, payout or user there is not, or that do not say why. */
  strangeRows: string[];
  /** Orders whose movements are not their commission. */
  wrongOrders: string[];
  /** Shares of the tiers above whose movements are not their amount. */
  wrongShares: string[];
  /** Payouts whose movements are not what their status says. */
  wrongPayouts: string[];
  /** Pools that do not hold what the coupon's payouts say. */
  wrongPools: string[];
  /** Counts of payouts that do not agree with the payouts. */
  wrongCounts: string[];
}

/** Differences listed for each kind. */
const maxListed = 50;

type Checked = Pick<Stores, 'ledger' | 'payouts'>;

/**
 * Works everything out anew, from the rows of the ledger, from the orders and from the payouts, and names every difference. `written`
 * turns an amount into text.
 */
export async function verifyLedger({ ledger, payouts }: Checked, written: (amount: Minor) => string): Promise<Verification> {
  const say = createSentences(written);
  let total = 0;
  const sentences = <Finding>(found: TopFindings<Finding>, sentence: (finding: Finding) => string): string[] => {
    total += found.total;
    return [...found.first.map(sentence), ...restOf(found)];
  };
  const kinds = {
    wrongBalances: sentences(await ledger.wrongBalances(maxListed), say.wrongBalance),
    brokenMovements: sentences(await ledger.brokenMovements(maxListed), say.brokenMovement),
    strangeRows: sentences(await ledger.strangeRows(maxListed), say.strangeRow),
    wrongOrders: sentences(await ledger.wrongOrders(maxListed), say.wrongOrder),
    wrongShares: sentences(await ledger.wrongShares(maxListed), say.wrongShare),
    wrongPayouts: [
      ...sentences(await ledger.wrongPayouts(maxListed), say.wrongPayout),
      ...sentences(await ledger.strangePayouts(maxListed), say.strangePayout),
    ],
    wrongPools: sentences(firstOf(await payouts.wrongPools()), say.wrongPool),
    wrongCounts: sentences(firstOf(await payouts.wrongCounts()), say.wrongCount),
  };
  return { total, ...kinds };
}

const firstOf = <Finding>(all: readonly Finding[]): TopFindings<Finding> => ({ first: all.slice(0, maxListed), total: all.length });

const restOf = ({ first, total }: TopFindings<unknown>): string[] =>
  total > first.length ? [`And ${total - first.length} more like these.`] : [];

export function listSentences(verification: Verification): string[] {
  const { total, ...kinds } = verification;
  return total === 0 ? [] : Object.values(kinds).flat();
}
