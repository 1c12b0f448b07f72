import { commissionOf, netOf, percentOf } from '../commission/commission.ts';
import type { EventRepository } from '../events/event.ts';
import { groupBy } from '../group-by.ts';
import type { TopFindings } from '../ledger/checks.ts';
import type { LedgerRepository } from '../ledger/repository.ts';
import type { Head, SealRepository } from '../ledger/seal.ts';
import type { SealingKey } from '../ledger/sealing-key.ts';
import { verifyChain } from '../ledger/verify-chain.ts';
import type { Minor } from '../money.ts';
import type { Order, OrderRepository, Share } from '../orders/order.ts';
import type { PayoutRepository } from '../payouts/repository.ts';
import type { ExportRepository } from '../records/exported.ts';
import { createSentences } from './sentences.ts';

/** A sentence for each difference, by kind; after the first few of a kind one that counts the rest. All are empty when all is well. */
export type Verification = Awaited<ReturnType<typeof verifyLedger>>;

/** Differences listed for each kind. */
const maxListed = 50;

/** Orders that one statement reads. */
const pageSize = 1000;

interface Checked {
  ledger: LedgerRepository;
  seals: SealRepository;
  events: EventRepository;
  orders: OrderRepository;
  payouts: PayoutRepository;
  exports: ExportRepository;
}

export interface VerifyOptions {
  /** Turns an amount into text. */
  written(amount: Minor): string;
  /** Null where the database has none, or the process cannot open it: then the signer of the last seal is not compared. */
  key?: SealingKey | null;
  /** A seal from outside of the database. */
  against?: Head | null;
  /** Called with the number of rows that were read since the last call. */
  onProgress?(rows: number): void;
}

/** Works everything out anew, from the rows of the ledger, the orders and the payouts, and follows the chain of seals. */
export async function verifyLedger(db: Checked, options: VerifyOptions) {
  const { ledger, payouts } = db;
  const { written, onProgress = () => {} } = options;
  const say = createSentences(written);
  const kinds = {
    /** Stored balances of coupons that are not the sum of their movements. */
    wrongBalances: new Findings().take(await ledger.wrongBalances(maxListed), say.wrongBalance),
    /** Movements whose rows are not two matching rows that sum to zero. */
    brokenMovements: new Findings().take(await ledger.brokenMovements(maxListed), say.brokenMovement),
    /** Rows whose pool, reason, coupon, order, payout or user does not exist, or that do not say why. */
    strangeRows: new Findings().take(await ledger.strangeRows(maxListed), say.strangeRow),
    /** Orders, shares of the tiers above, and payouts whose movements are not what they say. */
    wrongOrders: new Findings().take(await ledger.wrongOrders(maxListed), say.wrongOrder),
    wrongShares: new Findings().take(await ledger.wrongShares(maxListed), say.wrongShare),
    wrongPayouts: new Findings()
      .take(await ledger.wrongPayouts(maxListed), say.wrongPayout)
      .take(await ledger.strangePayouts(maxListed), say.strangePayout),
    /** Bonuses and corrections whose movements are not what they say, and the other way round. */
    wrongAdjustments: new Findings().take(await ledger.wrongAdjustments(maxListed), say.wrongAdjustment),
    /** Stored counts of payouts that do not agree with the payouts. */
    wrongCounts: new Findings().take(await payouts.wrongCounts(maxListed), say.wrongCount),
    /** Orders and shares whose amounts and rates give another commission. */
    wrongCommissions: new Findings(),
    /** Seals that do not fit the rows that they cover, each other, or their key. */
    brokenSeals: new Findings(),
  };
  await recomputeOrders(db, written, kinds.wrongCommissions.add, onProgress);
  await verifyChain(db, { key: options.key ?? null, against: options.against ?? null }, kinds.brokenSeals.add, onProgress);
  const total = Object.values(kinds).reduce((sum, findings) => sum + findings.total, 0);
  const sentences = Object.fromEntries(Object.entries(kinds).map(([kind, findings]) => [kind, findings.sentences()]));
  return { total, ...(sentences as Record<keyof typeof kinds, string[]>) };
}

/** Keeps the first findings of a kind and counts all. */
class Findings {
  readonly #first: string[] = [];
  total = 0;

  readonly add = (sentence: string): void => {
    this.total += 1;
    if (this.#first.length < maxListed) this.#first.push(sentence);
  };

  take<Finding>({ first, total }: TopFindings<Finding>, say: (finding: Finding) => string): this {
    for (const finding of first) this.add(say(finding));
    this.total += total - first.length;
    return this;
  }

  sentences(): string[] {
    const rest = this.total - this.#first.length;
    return rest > 0 ? [...this.#first, `And ${rest} more like these.`] : this.#first;
  }
}

type Report = (sentence: string) => void;

async function recomputeOrders(
  { exports, orders }: Checked,
  written: (amount: Minor) => string,
  report: Report,
  count: (rows: number) => void,
): Promise<void> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await exports.orders(after, pageSize);
    const ids = page.map(({ orderId }) => orderId);
    const shares = groupBy(await orders.sharesOf(ids), ({ orderId }) => orderId);
    for (const order of page) recompute(order, shares.get(order.orderId) ?? [], written, report);
    count(page.length);
    const last = ids.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last;
  }
}

function recompute(order: Order, shares: readonly Share[], written: (amount: Minor) => string, report: Report): void {
  const { orderId, couponId, commission, commissionStatus, refunded } = order;
  const isImpossible = refunded !== 0 && netOf(order) === 0;
  if (isImpossible) report(`Order ${orderId} (coupon ${couponId}) has a refund of ${written(refunded)} and no price.`);
  const expected = commissionStatus === 'reversed' || isImpossible ? 0 : commissionOf(order, order.rates);
  if (expected !== commission)
    report(
      `Order ${orderId} (coupon ${couponId}) has a commission of ${written(commission)}, but its amounts and rates give ${written(expected)}.`,
    );
  for (const share of shares) {
    const due = commissionStatus === 'granted' ? percentOf(commission, share.rateThousandths) : 0;
    if (due !== share.amount)
      report(
        `Order ${orderId} has a share of ${written(share.amount)} for coupon ${share.couponId}, but its commission and the rate give ${written(due)}.`,
      );
  }
}

export function listSentences({ total: _total, ...kinds }: Verification): string[] {
  return Object.values(kinds).flat();
}
