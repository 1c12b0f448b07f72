/** Pseudo-random numbers: the same seed gives the same sequence on every machine. Never for secrets. */
export interface SeededRandom {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(min: number, max: number): number;
  happens(probability: number): boolean;
  pick<Item>(from: readonly Item[]): Item;
}

/** Mulberry32. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    happens: (probability) => next() < probability,
    pick: <Item>(from: readonly Item[]) => from[between(0, from.length - 1)] as Item,
  };
}

/** Picks indexes in proportion to their weights. */
export function createWeightedPicker(weights: readonly number[]): (random: SeededRandom) => number {
  let sum = 0;
  const sums = weights.map((weight) => (sum += weight));
  return (random) => {
    const at = random.next() * sum;
    return sums.findIndex((upTo) => upTo > at);
  };
}
