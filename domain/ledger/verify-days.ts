import { isNameOf } from './digest.ts';
import type { Movement } from './movement.ts';
import type { LedgerRow, Seal } from './seal.ts';
import { maxSealedRows } from './seal-ledger.ts';
import type { SealingKey } from './sealing-key.ts';
import { writtenTime } from './written-time.ts';

type Report = (sentence: string) => void;

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Clocks of processes differ a little. */
export const clockTolerance = 10 * 60_000;

/** Whether two rows of a movement are what the service wrote with this key. */
export function isMarked(key: SealingKey, one: LedgerRow, other: LedgerRow): boolean {
  const [from, to] = one.amount < other.amount ? [one, other] : [other, one];
  const { id: _id, movement: name, pool, ...shared } = to;
  const movement: Movement = { ...shared, from: from.pool, to: pool };
  return from.amount === -to.amount && isNameOf(key, name, movement);
}

const looksMarked = /\.[\w-]{22}$/;

/**
 * The service seals every day from the moment when it has a key. Movements with a mark of the key that were written over more than two days,
 * and that no seal covered meanwhile: their seals were deleted, or the service does not seal.
 */
export class UnsealedDays {
  readonly #key: SealingKey;
  readonly #beforeFirst = new Map<string, LedgerRow>();
  readonly #first: Days = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  readonly #ofOtherKey: Days = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  /** The hours of movements that the current seal covers, and full seals before it. */
  readonly #sealedHours = new Set<number>();
  readonly #tailHours = new Set<number>();

  constructor(key: SealingKey) {
    this.#key = key;
  }

  /** A row that the first seal of the key took as it was, or any row if there is no seal. */
  addToFirst(row: LedgerRow): void {
    if (!looksMarked.test(row.movement)) return;
    const other = this.#beforeFirst.get(row.movement);
    if (other) {
      this.#beforeFirst.delete(row.movement);
      extend(isMarked(this.#key, row, other) ? this.#first : this.#ofOtherKey, row.at);
    } else this.#beforeFirst.set(row.movement, row);
  }

  addToSeal({ at }: LedgerRow): void {
    this.#sealedHours.add(Math.floor(at / hourMs));
  }

  /**
   * After the last row of a seal. The service seals when it starts, and every day: after days in which it did not run, a seal may cover what
   * came before them and what was written until it was made. More than two days at a time, or a third time, would have had a seal between.
   */
  endSeal({ number, rows, sealedAt }: Seal, report: Report): void {
    // What follows a full seal may be of the same days.
    if (rows >= maxSealedRows) return;
    const days = findUnsealedDays(this.#sealedHours);
    this.#sealedHours.clear();
    if (days) report(`Seal ${number} of ${writtenTime(sealedAt)} covers movements from ${formatDays(days)}: ${cause} ${compare}`);
  }

  /** A row after the last seal. */
  addToTail(row: LedgerRow): void {
    this.#tailHours.add(Math.floor(row.at / hourMs));
  }

  /** Where no seal is of another key: one that was replaced leaves its seals. */
  reportOtherKey(report: Report): void {
    if (this.#ofOtherKey.from <= this.#ofOtherKey.to)
      report(
        `Movements from ${formatDays(this.#ofOtherKey)} were written with another sealing key, and there is no seal of it: both were deleted.`,
      );
  }

  report(last: Seal | null, report: Report): void {
    if (isTooLong(this.#first))
      report(
        `${last ? 'The first seal is later than' : 'There is no seal, and there are'} movements that were written with the sealing key from ${formatDays(this.#first)}: ${cause} ${compare} ${sealNow}`,
      );
    const days = findUnsealedDays(this.#tailHours);
    if (days) report(`Movements from ${formatDays(days)} are not sealed: ${cause} ${compare} ${sealNow}`);
  }
}

interface Days {
  from: number;
  to: number;
}

const cause = 'seals were deleted, or the service did not seal.';
const compare = 'Compare with a head that you stored: affiliate ledger verify --against <head>.';
const sealNow = 'affiliate ledger head seals what is unsealed.';

/** From the first to the last hour if they are of more than two days, apart from one break. */
function findUnsealedDays(hours: ReadonlySet<number>): Days | null {
  const times = splitByDaysOff([...hours].toSorted((one, other) => one - other));
  const [first, last] = [times[0], times.at(-1)];
  return first && last && (times.length > 2 || times.some(isTooLong)) ? { from: first.from, to: last.to } : null;
}

/** Of hours in their order: the times between which nothing was written for more than two days. */
function splitByDaysOff(hours: readonly number[]): Days[] {
  const times: Days[] = [];
  for (const at of hours.map((hour) => hour * hourMs)) {
    const current = times.at(-1);
    if (current && at - current.to <= 2 * dayMs) current.to = at;
    else times.push({ from: at, to: at });
  }
  return times;
}

function extend(days: Days, at: number): void {
  days.from = Math.min(days.from, at);
  days.to = Math.max(days.to, at);
}

const isTooLong = ({ from, to }: Days): boolean => to - from > 2 * dayMs;

const formatDays = ({ from, to }: Days): string => `${writtenTime(from)} to ${writtenTime(to)}`;
