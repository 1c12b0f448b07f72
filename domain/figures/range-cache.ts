import type { Figures } from './figures.ts';
import type { SeriesStep } from './intervals.ts';

/** The figures of a range of days. */
export interface RangeFigures {
  byCoupon: ReadonlyMap<number, Figures>;
  series: readonly SeriesStep[];
}

interface Entry {
  versions: string;
  figures: RangeFigures;
}

const weightOf = ({ figures: { byCoupon, series } }: Entry): number => 1 + byCoupon.size + series.length;

/**
 * LRU cache of range figures. Callers pass the versions that they read in their own snapshot, so that an entry is never older than the last
 * commit of any process.
 */
export class RangeCache {
  readonly #entries = new Map<string, Entry>();
  readonly #most: number;
  #weight = 0;

  /** At most so many figures, counting those of each coupon and each step. A series of ten years of days is 3660 of them. */
  constructor(most = 50_000) {
    this.#most = most;
  }

  get(key: string, versions: string): RangeFigures | undefined {
    const entry = this.#take(key);
    if (entry?.versions !== versions) return undefined;
    this.#put(key, entry);
    return entry.figures;
  }

  set(key: string, versions: string, figures: RangeFigures): void {
    this.#take(key);
    this.#put(key, { versions, figures });
    // A map iterates in insertion order: the first entry is the least recently used.
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most) return;
      this.#take(oldest);
    }
  }

  #take(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#weight -= weightOf(entry);
    return entry;
  }

  #put(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#weight += weightOf(entry);
  }
}
