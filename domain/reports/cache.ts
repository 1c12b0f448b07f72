import type { ClickCounts } from '../clicks/store.ts';
import type { AffiliateSales, Sales } from './store.ts';

/** The cached part of a report. All else is read each time. */
export interface RangeSums {
  total: Sales;
  top: AffiliateSales[];
  clicks: ClickCounts;
  /** When it was computed. */
  at: number;
}

const maxRanges = 500;

/**
 * LRU cache of the sums of date ranges. Callers pass the version that they read in their own snapshot, so that an entry is never older than
 * the last commit of any process.
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
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxRanges && oldest !== undefined) this.#entries.delete(oldest);
  }

  #put(range: string, entry: { version: string; sums: RangeSums }): void {
    this.#entries.delete(range);
    this.#entries.set(range, entry);
  }
}
