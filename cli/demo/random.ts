/** Chance that comes out the same every time. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(lowest: number, highest: number): number;
  happens(probability: number): boolean;
  pick<Item>(from: readonly Item[]): Item;
}

/** Mulberry32: small, and the same on every machine. Never for secrets. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (lowest: number, highest: number): number => lowest + Math.floor(next() * (highest - lowest + 1));
  return {
    next,
    between,
    happens: (probability) => next() < probability,
    pick: <Item>(from: readonly Item[]) => from[between(0, from.length - 1)] as Item,
  };
}

/** Picks by weight: of two places the one with twice the weight comes up twice as often. */
export function weighted(weights: readonly number[]): (chance: Chance) => number {
  const sums: number[] = [];
  let sum = 0;
  for (const weight of weights) {
    sum += weight;
    sums.push(sum);
  }
  return (chance) => {
    const at = chance.next() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
