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

// biome-ignore format: one word a line would be a page of words
const first = [
  'Alder', 'Amber', 'Arctic', 'Aspen', 'Birch', 'Boulder', 'Bramble', 'Brook', 'Cairn', 'Canyon', 'Cedar', 'Cinder', 'Cloud', 'Copper',
  'Coral', 'Crag', 'Delta', 'Dune', 'Ember', 'Fern', 'Firn', 'Flint', 'Foggy', 'Forest', 'Frost', 'Glacier', 'Granite', 'Harbour', 'Hazel',
  'Heather', 'Highland', 'Juniper', 'Lantern', 'Larch', 'Lichen', 'Maple', 'Meadow', 'Misty', 'Moss', 'Northern', 'Orchard', 'Otter',
  'Pebble', 'Pine', 'Quartz', 'Raven', 'Ridge', 'River', 'Rowan', 'Saddle', 'Salt', 'Sierra', 'Silver', 'Slate', 'Spruce', 'Stone',
  'Sunny', 'Tarn', 'Thistle', 'Timber', 'Tundra', 'Valley', 'Willow', 'Winter',
];
// biome-ignore format: as above
const second = [
  'Basecamp', 'Blog', 'Camper', 'Climber', 'Club', 'Compass', 'Diaries', 'Explorer', 'Gear', 'Guide', 'Hiker', 'Journal', 'Kitchen',
  'Letters', 'Map', 'Notes', 'Nomads', 'Outfitter', 'Paths', 'Podcast', 'Ranger', 'Reviews', 'Runner', 'Stories', 'Tents', 'Tracks',
  'Trails', 'Tribune', 'Wanderer', 'Weekly',
];

export interface SiteName {
  displayName: string;
  login: string;
  /** The prefix of its coupon codes. */
  word: string;
}

/** Returns a generator of unique names. */
export function createSiteNames(random: SeededRandom): () => SiteName {
  const used = new Set<string>(['trailnotes', 'summitweekly']);
  const words = new Map<string, number>();
  return () => {
    for (;;) {
      const [one, other] = [random.pick(first), random.pick(second)];
      const login = `${one}${other}`.toLowerCase();
      if (used.has(login)) continue;
      used.add(login);
      const uses = (words.get(one) ?? 0) + 1;
      words.set(one, uses);
      return { displayName: `${one} ${other}`, login, word: one.toUpperCase() + (uses === 1 ? '' : String.fromCharCode(64 + uses)) };
    }
  };
}

export const promotions = [
  'Gear reviews and a monthly newsletter',
  'A video channel about multi-day hikes',
  'Packing lists, and what was in the pack in the end',
  'Tests of tents in the garden and on the fell',
  'A podcast for people who sleep badly indoors',
  'Cooking on small stoves',
  'Routes with children, and without',
];

export const campaigns = ['newsletter', 'spring-hikes', 'tent-test', 'winter-layers', 'video', 'black-week', 'packing-list'];

export const landingPages = ['/', '/tents', '/sleeping-bags', '/rucksacks', '/stoves', '/sale', '/boots'];

/** In cents. */
export const prices = [1290, 1990, 2490, 2990, 3990, 4990, 5990, 7990, 8990, 11990, 14990, 17980, 21990, 28990, 39990];
