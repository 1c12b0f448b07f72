import { grouped } from '../grouped.ts';
import { type DayOfSellers, dayOfSellers, type Places } from './dense-index.ts';
import type { ReportStore, SalesDay } from './store.ts';

type KeptDay = DayOfSellers & { version: string };

/** A row takes twelve bytes. */
const mostKept = 3_000_000;

/** So few that nobody else waits long while they are put away, and that a question does not take much longer for having brought them. */
const rowsAtOnce = 10_000;
const rowsPerQuestion = 40_000;

/** Days that were read before, until they change or others need their room. */
export class KeptDays {
  readonly #coupons: Places;
  readonly #most: number;
  /** The day that was used the longest ago comes first. */
  readonly #days = new Map<string, KeptDay>();
  /** By those who ask at the same time. */
  readonly #beingRead = new Set<string>();
  #rows = 0;

  constructor(coupons: Places, most = mostKept) {
    this.#coupons = coupons;
    this.#most = most;
  }

  /** All of these days; or undefined, where there are too many, or more are missing than one question should bring. */
  async take(wanted: readonly SalesDay[], reports: ReportStore): Promise<KeptDay[] | undefined> {
    if (rowsOf(wanted) > this.#most) return undefined;
    const found: KeptDay[] = [];
    const missing: SalesDay[] = [];
    for (const day of wanted) {
      const kept = this.#find(day);
      if (kept) found.push(kept);
      else missing.push(day);
    }
    found.push(...(await this.#bring(missing, reports)));
    return found.length === wanted.length ? found : undefined;
  }

  /** As many as one question should bring, the newest first: they are asked for the most. */
  async #bring(missing: readonly SalesDay[], reports: ReportStore): Promise<KeptDay[]> {
    // Of many, those that somebody else brings at this moment are left to them.
    const isForUs = ({ day }: SalesDay): boolean => rowsOf(missing) <= rowsPerQuestion || !this.#beingRead.has(day);
    const left = missing.filter(isForUs).sort((one, other) => (one.day < other.day ? 1 : -1));
    const own = firstOf(left, rowsPerQuestion);
    for (const { day } of own) this.#beingRead.add(day);
    try {
      const brought: KeptDay[] = [];
      for (let rest = own; rest.length > 0; ) {
        const some = firstOf(rest, rowsAtOnce);
        brought.push(...(await this.#read(some, reports)));
        rest = rest.slice(some.length);
      }
      return brought;
    } finally {
      for (const { day } of own) this.#beingRead.delete(day);
    }
  }

  async #read(days: readonly SalesDay[], reports: ReportStore): Promise<KeptDay[]> {
    const earnings = grouped(await reports.earnings(days.map(({ day }) => day)), ({ day }) => day);
    return days.map(({ day, version }) => this.#keep(day, { version, ...dayOfSellers(earnings.get(day) ?? [], this.#coupons) }));
  }

  #find({ day, version }: SalesDay): KeptDay | undefined {
    const kept = this.#days.get(day);
    if (kept?.version !== version) return undefined;
    this.#days.delete(day);
    this.#days.set(day, kept);
    return kept;
  }

  #keep(day: string, read: KeptDay): KeptDay {
    this.#drop(day);
    this.#days.set(day, read);
    this.#rows += read.sellers.length;
    for (const oldest of this.#days.keys()) {
      if (this.#rows <= this.#most) break;
      this.#drop(oldest);
    }
    return read;
  }

  #drop(day: string): void {
    this.#rows -= this.#days.get(day)?.sellers.length ?? 0;
    this.#days.delete(day);
  }
}

const rowsOf = (days: readonly SalesDay[]): number => days.reduce((rows, { coupons }) => rows + coupons, 0);

/** As many days as have so many rows, but at least one. */
function firstOf(days: readonly SalesDay[], mostRows: number): SalesDay[] {
  let rows = 0;
  const end = days.findIndex(({ coupons }, index) => {
    rows += coupons;
    return index > 0 && rows > mostRows;
  });
  return end === -1 ? [...days] : days.slice(0, end);
}
