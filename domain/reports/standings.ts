import { grouped } from '../grouped.ts';
import type { DayRange } from '../range.ts';
import { type DayOfEarners, Earners } from './earners.ts';
import type { AffiliateSales, DayVersion, ReportStore } from './store.ts';

type Day = DayOfEarners & { version: string };

/** A row takes twelve bytes. */
const mostRows = 3_000_000;

/** So few that nobody else waits long while they are read and put away. */
const daysAtOnce = 16;

/**
 * Who earned the most in a range of days. The database would have to add up the days of all coupons for every range that nobody has asked
 * for before; so days are kept here once they were read, as bare numbers, and a range is a walk over them. Each question begins with the
 * versions of its days, read in the same view: a day that has changed since, in whichever process, is read again, and no other.
 */
export class Standings {
  readonly #earners = new Earners();
  /** The day that was used the longest ago comes first. */
  readonly #days = new Map<string, Day>();
  readonly #mostRows: number;
  #rows = 0;

  constructor(limit = mostRows) {
    this.#mostRows = limit;
  }

  async best(reports: ReportStore, range: DayRange, top: number): Promise<AffiliateSales[]> {
    const days = await this.#daysOf(await reports.days(range), reports);
    return (await reports.salesOf(this.#earners.best(days, top), range)).toSorted(byCommission);
  }

  async #daysOf(versions: readonly DayVersion[], reports: ReportStore): Promise<Day[]> {
    const { found, missing } = this.#lookUp(versions);
    for (let at = 0; at < missing.length; at += daysAtOnce) {
      // Others who ask meanwhile may have brought some of them.
      const now = this.#lookUp(missing.slice(at, at + daysAtOnce));
      found.push(...now.found, ...(await this.#read(now.missing, reports)));
    }
    return found;
  }

  #lookUp(versions: readonly DayVersion[]): { found: Day[]; missing: DayVersion[] } {
    const found: Day[] = [];
    const missing: DayVersion[] = [];
    for (const wanted of versions) {
      const day = this.#take(wanted);
      if (day) found.push(day);
      else missing.push(wanted);
    }
    return { found, missing };
  }

  #take({ day, version }: DayVersion): Day | undefined {
    const kept = this.#days.get(day);
    if (kept?.version !== version) return undefined;
    this.#days.delete(day);
    this.#days.set(day, kept);
    return kept;
  }

  async #read(versions: readonly DayVersion[], reports: ReportStore): Promise<Day[]> {
    if (versions.length === 0) return [];
    const earnings = grouped(await reports.earnings(versions.map(({ day }) => day)), ({ day }) => day);
    return versions.map(({ day, version }) => {
      const read = { version, ...this.#earners.dayOf(earnings.get(day) ?? []) };
      this.#put(day, read);
      return read;
    });
  }

  #put(day: string, read: Day): void {
    this.#drop(day);
    this.#days.set(day, read);
    this.#rows += read.earners.length;
    for (const oldest of this.#days.keys()) {
      if (this.#rows <= this.#mostRows) return;
      this.#drop(oldest);
    }
  }

  #drop(day: string): void {
    this.#rows -= this.#days.get(day)?.earners.length ?? 0;
    this.#days.delete(day);
  }
}

const byCommission = (one: AffiliateSales, other: AffiliateSales): number => other.commission - one.commission || one.userId - other.userId;
