import type { SeededRandom } from './random.ts';

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
