import type { IncomingOrder } from '../../domain/orders/incoming.ts';
import type { Chance } from './random.ts';

/** What the shop tells of an order so many days after it was placed. */
export interface Chapter {
  daysLater: number;
  as: IncomingOrder;
}

/** In days: then nothing more becomes of an order. */
export const longestLife = 35;

type Life = (order: IncomingOrder, chance: Chance) => Chapter[];

const told = (order: IncomingOrder, daysLater: number, change: Partial<IncomingOrder>): Chapter => ({
  daysLater,
  as: { ...order, ...change },
});

const netOf = ({ total, discount }: IncomingOrder): number => total - discount;

const sent: Life = (order, chance) => [told(order, 0, {}), told(order, chance.between(1, 4), { status: 'completed' })];

const failed: Life = (order) => [told(order, 0, { status: 'pending' }), told(order, 1, { status: 'failed' })];

const cancelled: Life = (order, chance) => [told(order, 0, {}), told(order, chance.between(1, 3), { status: 'cancelled' })];

/** Not paid at once, or by bank transfer, which takes its time. */
const waitedFor: Life = (order, chance) => {
  const paid = chance.between(2, 5);
  return [
    told(order, 0, { status: chance.pick(['pending', 'on-hold']) }),
    told(order, paid, {}),
    told(order, paid + chance.between(1, 3), { status: 'completed' }),
  ];
};

/** Sometimes before the clearing days are over and sometimes after: then what was granted is taken back. */
const sentBack: Life = (order, chance) => [
  ...sent(order, chance),
  told(order, chance.between(6, longestLife), { status: 'refunded', refunded: netOf(order) }),
];

const sentBackInPart: Life = (order, chance) => [
  ...sent(order, chance),
  told(order, chance.between(6, 30), { status: 'completed', refunded: Math.round((netOf(order) * chance.pick([20, 25, 50])) / 100) }),
];

/** Of a hundred orders: what becomes of how many. */
const lives: readonly (readonly [number, Life])[] = [
  [82, sent],
  [5, waitedFor],
  [4, sentBackInPart],
  [4, cancelled],
  [3, sentBack],
  [2, failed],
];

export function lifeOf(order: IncomingOrder, chance: Chance): Chapter[] {
  let at = chance.between(1, 100);
  for (const [count, life] of lives) {
    at -= count;
    if (at <= 0) return life(order, chance);
  }
  return sent(order, chance);
}
