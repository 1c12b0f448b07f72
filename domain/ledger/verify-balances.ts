import type { Minor } from '../money.ts';
import type { LedgerRow, Seal } from './seal.ts';
import { maxSealedRows } from './seal-ledger.ts';
import { clockTolerance } from './verify-days.ts';
import { writtenTime } from './written-time.ts';

type Report = (sentence: string) => void;

const hourMs = 3_600_000;

/** A payout does not take what came in so many hours later: clocks of processes differ, and a clock is put right. */
const toleratedHours = 1;

interface Balances {
  unpaid: Minor;
  pendingOrder: Minor;
  /** The last hand-over, and the sum of both before it. */
  handover: string;
  handedOver: Minor;
}

/**
 * A payout takes what the coupon has, and a hand-over moves it: more only if a stored balance was raised past the service for that moment.
 * Rows are added in their order: what is written of one coupon waits for its row, or is repeated, so that its ids are in the order of commits.
 */
export class RunningBalances {
  readonly #balances = new Map<number, Balances>();
  /** For each coupon and hour, what came in since the last seal. Until rows are sealed their ids can be changed; their times are marked. */
  readonly #unsealed = new Map<number, Map<number, Minor>>();
  #lastSeal: Pick<Seal, 'number' | 'sealedAt'> | null = null;
  /** Of the current seal: what only its times say, and the newest of these. */
  #byTimes: string[] = [];
  #newest = 0;
  readonly #report: Report;
  readonly #written: (amount: Minor) => string;

  readonly #comparesTimes: boolean;

  constructor(report: Report, written: (amount: Minor) => string, comparesTimes: boolean) {
    this.#report = report;
    this.#written = written;
    this.#comparesTimes = comparesTimes;
  }

  /** Times and hand-overs of rows without a mark are not compared: they are of any version. */
  add(row: LedgerRow, isMarked: boolean): void {
    const { pool, couponId, amount, payoutId } = row;
    if (isMarked) this.#newest = Math.max(this.#newest, row.at);
    if (pool !== 'unpaid' && pool !== 'pending_order') return;
    const balances = this.#balancesOf(couponId);
    if (row.reason === 'transfer' && isMarked) this.#checkHandover(row, balances);
    if (pool === 'pending_order') {
      balances.pendingOrder += amount;
      return;
    }
    if (payoutId !== null && amount < 0) {
      this.#checkPayout(row, balances);
      if (isMarked && this.#comparesTimes) this.#checkTime(row);
    }
    if (amount > 0 && isMarked && this.#comparesTimes) this.#addUnsealed(row);
    balances.unpaid += amount;
  }

  /** What follows a full seal may have been unsealed at the same time. */
  endSeal(seal: Seal): void {
    if (seal.rows >= maxSealedRows) return;
    this.end(seal.sealedAt);
    this.#unsealed.clear();
    this.#lastSeal = seal;
  }

  /** A seal that is older than a movement in it, or than the seal before it, was made after a clock was put right: times say nothing then. */
  end(at: number): void {
    if (Math.max(this.#newest, this.#lastSeal?.sealedAt ?? 0) <= at + clockTolerance)
      for (const sentence of this.#byTimes) this.#report(sentence);
    this.#byTimes = [];
    this.#newest = 0;
  }

  #balancesOf(couponId: number): Balances {
    const found = this.#balances.get(couponId) ?? { unpaid: 0, pendingOrder: 0, handover: '', handedOver: 0 };
    this.#balances.set(couponId, found);
    return found;
  }

  #addUnsealed({ couponId, amount, at }: LedgerRow): void {
    const hours = this.#unsealed.get(couponId) ?? new Map<number, Minor>();
    this.#unsealed.set(couponId, hours);
    hours.set(hourOf(at), (hours.get(hourOf(at)) ?? 0) + amount);
  }

  #checkPayout({ couponId, payoutId, amount, at }: LedgerRow, { unpaid }: Balances): void {
    const later = [...(this.#unsealed.get(couponId) ?? [])].filter(([hour]) => hour > hourOf(at) + toleratedHours);
    const before = later.reduce((rest, [, credit]) => rest - credit, unpaid);
    const sentence = `Payout ${payoutId} took ${this.#written(-amount)} of coupon ${couponId}, which had ${this.#written(before)}.`;
    if (unpaid + amount < 0) this.#report(sentence);
    else if (before + amount < 0) this.#byTimes.push(sentence);
  }

  /** A payout is written at once: one that is older than the seal before it was taken out and put back after it. */
  #checkTime({ payoutId, at }: LedgerRow): void {
    if (!this.#lastSeal || hourOf(at) + toleratedHours >= hourOf(this.#lastSeal.sealedAt)) return;
    const { number, sealedAt } = this.#lastSeal;
    const times = `is of ${writtenTime(at)}, and seal ${number} of ${writtenTime(sealedAt)} does not cover it`;
    this.#byTimes.push(`A movement of payout ${payoutId} ${times}: its rows were deleted and inserted again.`);
  }

  /** Each pool is emptied, then the sum of both becomes unpaid. */
  #checkHandover({ couponId, pool, amount, note, at }: LedgerRow, balances: Balances): void {
    const { unpaid, pendingOrder } = balances;
    if (balances.handover !== `${at} ${note}`) Object.assign(balances, { handover: `${at} ${note}`, handedOver: unpaid + pendingOrder });
    const before = pool === 'unpaid' ? unpaid : pendingOrder;
    if (before + amount === 0) return;
    if (pool === 'unpaid' && unpaid === 0 && pendingOrder === 0 && amount === balances.handedOver) return;
    const moved = `${this.#written(Math.abs(amount))} ${amount < 0 ? 'out of' : 'into'} ${pool}, which had ${this.#written(before)}`;
    this.#report(`A hand-over of coupon ${couponId} moved ${moved}: a balance was changed past the service, or a movement deleted.`);
  }
}

const hourOf = (at: number): number => Math.floor(at / hourMs);
