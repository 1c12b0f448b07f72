import { dialects } from './dataset/dialect.ts';
import { adminId, type Engine, oneYear, ownerOf, type Size, type SizeName, whale } from './dataset/sizes.ts';
import type { HttpRow } from './http-row.ts';
import { type BenchRequest, byAdmin, countPages, type Repetition, send } from './requests.ts';
import { storeRows } from './store-rows.ts';
import type { PeerName } from './targets.ts';

const many = 32;
const upTo = <Item>(count: number, make: (index: number) => Item): Item[] => Array.from({ length: count }, (_, index) => make(index));

/** Spread over all coupons and their owners, so that caches help no more than in practice. */
const someCoupons = ({ coupons }: Size): number[] =>
  upTo(Math.min(coupons, 1000), (index) => 1 + Math.floor((index * coupons) / Math.min(coupons, 1000)));

const oneCoupon = async (size: Size): Promise<BenchRequest[]> =>
  someCoupons(size).map((id) => ({ path: `/coupons/${id}`, userId: ownerOf(id) }));

const callerOf = (couponId: number): BenchRequest => ({ path: '/me', userId: ownerOf(couponId) });

/** Rows of the charts have all sizes, most others the ends, and those that do not depend on the number of orders the smallest. */
const ends: readonly SizeName[] = ['1k', '2m'];
const smallest: readonly SizeName[] = ['1k'];
const inCharts = { sizes: ['1k', '100k', '2m'] } as const;

const orders = `/coupons/${whale}/orders?per_page=100`;
const inYear = `from=${oneYear.from}&to=${oneYear.to}`;

type Place = 'first' | 'middle' | 'last';
const placeOf = (place: Place, pages: number): number => ({ first: 1, middle: Math.max(1, Math.floor(pages / 2)), last: pages })[place];

function pageRow(name: string, title: string, list: string, place: Place, peers: PeerName[] = []): HttpRow {
  const requests = async (_size: Size, port: number): Promise<BenchRequest[]> => [
    byAdmin(`${list}&page=${placeOf(place, await countPages(port, list))}`),
  ];
  return { name, title, connections: many, sizes: ends, peers, requests, repetition: 'uncached' };
}

const ordersRow = (name: string, title: string, list: string, place: Place): HttpRow => ({
  ...pageRow(name, title, list, place, ['fastify']),
  onFourProcesses: true,
});

const everyDay = (index: number): string => new Date(Date.UTC(2023, 0, 1 + index)).toISOString().slice(0, 10);

/** So many that hardly one is repeated. Neighbours are equally long, so that slices cost the same also where they have one request. */
const newRanges = (path: string): BenchRequest[] =>
  upTo(40_000, (index) => byAdmin(`${path}?from=${everyDay(index % 400)}&to=${everyDay((index % 400) + 300 + Math.floor(index / 400))}`));

const simpleRow = (name: string, title: string, requests: HttpRow['requests'], repetition: Repetition = 'uncached'): HttpRow => ({
  name,
  title,
  connections: many,
  sizes: ends,
  peers: [],
  requests,
  repetition,
});

/** Sums and counts, which peers compute for each request. */
const figuresRow = (...[name, title, requests]: Parameters<typeof simpleRow>): HttpRow => ({
  ...simpleRow(name, title, requests),
  peers: ['fastify'],
});

const couponRow = {
  peers: ['fastify', 'express'] as PeerName[],
  connections: many,
  sizes: smallest,
  requests: oneCoupon,
  repetition: 'cached' as Repetition,
};

async function polls(port: number): Promise<BenchRequest[]> {
  const { headers } = await send(port, byAdmin('/events?per_page=1'));
  const last = Number(headers.get('X-Svc-Total'));
  return upTo(1000, (index) => byAdmin(`/events?after=${Math.floor((index * last) / 1000)}&per_page=100`));
}

const payable = { first: 5_000_000, count: 20_000 };

/** Inserts coupons with a balance and without payouts. */
function payableCoupons(engine: Engine): string[] {
  const { upTo: table, ownIds } = dialects[engine];
  const id = `${payable.first} + i - 1`;
  return [
    `insert into coupons (id, code, code_folded, user_id, status, created_at, discount_amount, unpaid_minor) ${ownIds}
     select ${id}, 'PAY' || i, 'pay' || i, ${ownerOf(1)} + i % 100, 'publish', 0, 10000, 1000 from ${table(payable.count)}`,
  ];
}

const payoutRequests = async (): Promise<BenchRequest[]> =>
  upTo(payable.count, (index) => ({
    path: '/payouts',
    userId: adminId,
    method: 'POST' as const,
    body: { coupon_id: payable.first + index },
    expect: 201,
  }));

export const httpRows: readonly HttpRow[] = [
  { ...couponRow, name: 'coupon', title: 'One coupon', onFourProcesses: true },
  { ...couponRow, name: 'coupon-alone', title: 'One coupon, 1 connection', connections: 1 },
  { ...couponRow, name: 'coupon-unseen', title: 'One coupon, uncached', repetition: 'uncached', onFourProcesses: true },
  ordersRow('orders', '100 orders, first page', orders, 'first'),
  { ...pageRow('orders-again', '100 orders, first page, cached', orders, 'first'), repetition: 'cached', sizes: smallest },
  ordersRow('orders-middle', '100 orders, middle page', orders, 'middle'),
  { ...ordersRow('orders-last', '100 orders, last page', orders, 'last'), ...inCharts },
  ordersRow('orders-range', '100 orders of a year, first page', `${orders}&${inYear}`, 'first'),
  ordersRow('orders-range-last', '100 orders of a year, last page', `${orders}&${inYear}`, 'last'),
  pageRow('payouts', '100 payouts, first page', '/payouts?per_page=100', 'first'),
  pageRow('payouts-last', '100 payouts, last page', '/payouts?per_page=100', 'last'),
  figuresRow('stats', 'Coupon statistics, all-time', async () => [byAdmin(`/coupons/${whale}/stats`)]),
  {
    ...figuresRow('stats-range', 'Coupon statistics, a new range each time', async () => newRanges(`/coupons/${whale}/stats`)),
    ...inCharts,
  },
  simpleRow('affiliate-stats', 'Affiliate statistics, all-time', async () => [byAdmin(`/affiliates/${ownerOf(whale)}/stats`)]),
  figuresRow('report', 'Report, all-time', async () => [byAdmin('/reports/summary')]),
  figuresRow('report-fresh', 'Report, all-time, refreshed', async () => [byAdmin('/reports/summary?refresh=true')]),
  { ...figuresRow('report-range', 'Report, a new range each time', async () => newRanges('/reports/summary')), ...inCharts },
  // More at once would be refused: they run one at a time for each caller.
  {
    ...figuresRow('clicks-range', 'Click statistics, a new range each time', async () => newRanges('/clicks/stats')),
    ...inCharts,
    connections: 8,
  },
  { ...figuresRow('feed', 'Change feed, 100 events from a random place', (_size, port) => polls(port)), ...inCharts },
  { ...simpleRow('me', 'The caller (/me)', async (size) => someCoupons(size).map(callerOf), 'cached'), sizes: smallest },
  { ...simpleRow('openapi', 'The API document', async () => [byAdmin('/openapi')], 'cached'), sizes: smallest },
  {
    ...simpleRow('request-payout', 'POST /payouts of different coupons, 16 at a time', payoutRequests, 'once'),
    ...{ connections: 16, sizes: smallest, changes: payableCoupons },
  },
  ...storeRows,
];
