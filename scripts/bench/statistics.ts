/** The median with a 95 % confidence interval. Infinite where there are too few values for one. */
export interface ConfidenceInterval {
  median: number;
  low: number;
  high: number;
}

/** An interval that reaches further from its median is too wide to conclude from. */
export const toleratedWidth = 0.1;

const ascending = (values: Iterable<number>): Float64Array => Float64Array.from(values).sort();

export function median(values: Iterable<number>): number {
  const ordered = ascending(values);
  const middle = ordered.length / 2;
  return ((ordered[Math.ceil(middle) - 1] ?? Number.NaN) + (ordered[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/**
 * Between two order statistics, by the binomial distribution: it assumes nothing about how the values are distributed, so single slices
 * that something else on the machine slowed down do not widen it. Needs six values.
 */
export function medianInterval(values: readonly number[]): ConfidenceInterval {
  const ordered = ascending(values);
  const rank = lowerRank(ordered.length);
  return {
    median: median(values),
    low: ordered[rank] ?? Number.NEGATIVE_INFINITY,
    high: rank < 0 ? Number.POSITIVE_INFINITY : (ordered[ordered.length - 1 - rank] ?? Number.POSITIVE_INFINITY),
  };
}

/** The highest index that the median of the distribution lies below with a probability of at most 2.5 %; -1 where there is none. */
function lowerRank(count: number): number {
  let probability = 0.5 ** count;
  let below = probability;
  let rank = -1;
  while (below <= 0.025 && rank < count) {
    rank += 1;
    probability *= (count - rank) / (rank + 1);
    below += probability;
  }
  return rank;
}

/** Quotients of neighbours: what slowed both down cancels out. Indexes that only one of them has are left out. */
export const pairedRatios = (ones: readonly number[], others: readonly number[]): number[] =>
  ones.slice(0, others.length).map((one, index) => one / (others[index] as number));

/** How far the interval reaches from its median, as a part of it. */
export const widthOf = ({ median, low, high }: ConfidenceInterval): number => Math.max(high - median, median - low) / median;
