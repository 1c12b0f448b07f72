import type { ClickCounts } from '../clicks/store.ts';
import type { AffiliateSales, Sales } from './store.ts';

/** What takes time to add up. Everything else of a report is read anew each time. */
export interface RangeSums {
  total: Sales;
  top: AffiliateSales[];
  clicks: ClickCounts;
  /** When it was added up. */
  at: number;
}

const mostRanges = 500;

/**
 * Keeps the sums of the ranges that were asked for last. Each look at it names the version that they must be of, read from the database in
 * the same view: so it gives nothing older than the last commit, whichever process made it.
 */
export class ReportCache {
  readonly #entries = new Map<string, { version: string; sums: RangeSums }>();

  get(range: string, version: string): RangeSums | undefined {
    const entry = this.#entries.get(range);
    if (entry?.version !== version) return undefined;
    this.#put(range, entry);
    return entry.sums;
  }

  set(range: string, version: string, sums: RangeSums): void {
    this.#put(range, { version, sums });
    // The first in a map is the one that was put there the longest ago.
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > mostRanges && oldest !== undefined) this.#entries.delete(oldest);
  }

  #put(range: string, entry: { version: string; sums: RangeSums }): void {
    this.#entries.delete(range);
    this.#entries.set(range, entry);
  }
}
