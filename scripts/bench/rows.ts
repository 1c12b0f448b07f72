// The rows of `npm run bench`. One entry of `rows` is one row. To add one, add an entry: the help, the run and the page follow from this list.
// - A row with `request` is a load of requests: `request(n)` returns the nth one, to each target. `hasPeer` also sends them to Fastify, which
//   must respond the same (scripts/bench/peers).
// - A row with `sample` runs a process for each sample, in process-rows.ts.
// Rows run in this order on their data set (dataset.ts). Those that write are at the end, so that the others read what was imported.
import type { EngineName } from '../shared/options.ts';
import { connectStripe, type Dataset, type DatasetName, firstMoment, firstPayable, sizes } from './dataset.ts';
import type { Sample } from './measure.ts';
import { sampleBlock, sampleImport, sampleMemory, sampleStart, sampleTwoProcesses, sampleVerify } from './process-rows.ts';
import { type BenchRequest, signDelivery, signEvent } from './requests.ts';

interface AnyRow {
  name: string;
  title: string;
  data: DatasetName;
  /** Both by default. */
  engine?: EngineName;
}

export interface RequestRow extends AnyRow {
  /** 32 by default. */
  connections?: number;
  hasPeer?: true;
  /** For a row that can run out of requests. */
  mostPerSlice?: number;
  /** For a row whose work goes on after the response, when it starts this much later. 0 by default. */
  settleMs?: number;
  /** Changes the data set before the servers start, also for the rows after it. */
  prepare?(dataset: Dataset): Promise<void>;
  /** Null when there are no more. Numbers begin with 0 for each target. */
  request(n: number, dataset: Dataset): BenchRequest | null;
}

export interface ProcessRow extends AnyRow {
  unit: 'µs' | 'ms' | 'MB';
  sample(dataset: Dataset, round: number): Promise<Sample>;
}

export type Row = RequestRow | ProcessRow;

const get = (path: string): BenchRequest => ({ path, as: 'admin' });

const couponId = (n: number): number => 1 + (n % sizes.small.coupons);

/** An address of its own for each request: no cached response matches. */
const newAddress = (n: number): string => `n=${n}`;

/** A range of days that hardly another request has. */
function newRange(n: number): string {
  const day = (days: number): string => new Date(firstMoment + days * 86_400_000).toISOString().slice(0, 10);
  return `from=${day(n % 400)}&to=${day((n % 400) + 300 + (Math.floor(n / 400) % 300))}`;
}

const orders = '/coupons/1/orders?per_page=100';
const lastPage = sizes.large.orders / 2 / 100;

export const rows: readonly Row[] = [
  { name: 'coupon', title: 'one coupon, repeated', data: 'small', hasPeer: true, request: (n) => get(`/coupons/${couponId(n)}`) },
  {
    name: 'coupon-unseen',
    title: 'one coupon, not cached',
    data: 'small',
    hasPeer: true,
    request: (n) => get(`/coupons/${couponId(n)}?${newAddress(n)}`),
  },
  { name: 'me', title: '/me of an affiliate, repeated', data: 'small', request: () => ({ path: '/me', as: 'affiliate' }) },
  {
    name: 'orders',
    title: '100 of 50,000 orders, first page',
    data: 'large',
    hasPeer: true,
    request: (n) => get(`${orders}&${newAddress(n)}`),
  },
  {
    name: 'orders-last',
    title: '100 of 50,000 orders, last page',
    data: 'large',
    hasPeer: true,
    request: (n) => get(`${orders}&page=${lastPage}&${newAddress(n)}`),
  },
  {
    name: 'stats-range',
    title: 'statistics of a coupon, new range',
    data: 'large',
    request: (n) => get(`/coupons/1/stats?${newRange(n)}`),
  },
  { name: 'report-range', title: 'report, new range', data: 'large', request: (n) => get(`/reports/summary?${newRange(n)}`) },
  // More at once would be refused: they run one at a time for each caller.
  { name: 'clicks-range', title: 'clicks, new range', data: 'large', connections: 8, request: (n) => get(`/clicks/stats?${newRange(n)}`) },
  {
    name: 'feed',
    title: 'change feed, 100 events after a cursor',
    data: 'large',
    request: (n) => get(`/events?after=${(n * 7919) % sizes.large.orders}&per_page=100`),
  },
  { name: 'block', title: 'longest block of the event loop by a large request', data: 'large', unit: 'ms', sample: sampleBlock },
  { name: 'start', title: 'start to listening', data: 'small', unit: 'ms', sample: sampleStart },
  { name: 'memory', title: 'resident memory, idle', data: 'small', unit: 'MB', sample: sampleMemory },
  { name: 'ledger-verify', title: 'affiliate ledger verify, per order', data: 'small', unit: 'µs', sample: sampleVerify },
  { name: 'redirect', title: 'referral link, counted', data: 'small', request: visit },
  {
    name: 'request-payout',
    title: 'POST /payouts, 16 coupons at a time',
    data: 'small',
    connections: 16,
    mostPerSlice: 80,
    // Mails are gathered for 200 ms.
    settleMs: 300,
    request: requestPayout,
  },
  { name: 'ingest', title: 'POST /store/orders, one order', data: 'small', request: sendOrder },
  {
    name: 'ingest-two',
    title: 'the same in two processes, wall time',
    data: 'small',
    engine: 'postgres',
    unit: 'µs',
    sample: (dataset, round) => sampleTwoProcesses(dataset, (n) => sendOrder(1_000_000 + round * 100_000 + n)),
  },
  // The peer keeps no ledger, figures and events, and answers one order after the other.
  { name: 'store-webhook', title: 'signed webhook of WooCommerce, one order', data: 'small', hasPeer: true, request: deliverOrder },
  {
    name: 'subscription',
    title: 'signed renewal of Stripe, one payment',
    data: 'small',
    prepare: connectStripe,
    request: deliverRenewal,
  },
  { name: 'import', title: 'affiliate import, per order', data: 'small', unit: 'µs', sample: sampleImport },
];

/** From so many addresses that every click is counted. */
function visit(n: number): BenchRequest {
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  return { path: `/r/CODE${couponId(n)}?to=/tents&campaign=bench`, headers: { 'X-Forwarded-For': address }, expect: 302 };
}

function requestPayout(n: number): BenchRequest | null {
  if (n >= sizes.small.payable) return null;
  return { path: '/payouts', as: 'admin', method: 'POST', body: JSON.stringify({ coupon_id: firstPayable + n }), expect: 201 };
}

const timeOf = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString().slice(0, 19);

function sendOrder(n: number): BenchRequest {
  const order = { order_id: 2_000_000 + n, coupon_id: couponId(n * 31), date: timeOf(n), status: 'completed', total: 99.9 };
  return { path: '/store/orders', as: 'admin', method: 'POST', body: JSON.stringify([order]) };
}

/** As WooCommerce sends it, with some of what the service does not read. */
function deliverOrder(n: number, { shop }: Dataset): BenchRequest {
  const time = timeOf(n);
  const address = { first_name: 'Kari', last_name: 'Nordmann', address_1: 'Storgata 1', city: 'Oslo', postcode: '0155', country: 'NO' };
  const item = { id: 315, name: 'Tent for two', quantity: 1, subtotal: '99.90', total: '89.91', total_tax: '0.00', sku: 'T-2' };
  const body = JSON.stringify({
    id: 200_000_000 + n,
    status: 'processing',
    currency: 'USD',
    date_created_gmt: time,
    date_modified_gmt: time,
    discount_total: '9.99',
    shipping_total: '4.90',
    total: '94.81',
    total_tax: '0.00',
    billing: address,
    shipping: address,
    line_items: [item],
    coupon_lines: [{ id: 317, code: `CODE${couponId(n * 31)}`, discount: '9.99' }],
    refunds: [],
  });
  return signDelivery(shop, body);
}

const subscriptions = 1000;

/** The first payment of each subscription names the coupon; those after it are renewals. */
function deliverRenewal(n: number, { shop }: Dataset): BenchRequest {
  const created = Date.UTC(2026, 0, 1) / 1000 + n;
  const subscription = n % subscriptions;
  const invoice = {
    id: `in_${n}`,
    object: 'invoice',
    customer: `cus_${subscription}`,
    customer_email: 'kari@example.com',
    customer_name: 'Kari Nordmann',
    subscription: `sub_${subscription}`,
    payment_intent: `pi_${n}`,
    charge: `ch_${n}`,
    currency: 'usd',
    subtotal: 9990,
    subtotal_excluding_tax: 9990,
    total: 8991,
    amount_paid: 8991,
    total_tax_amounts: [],
    discounts: [],
    metadata: n < subscriptions ? { affiliate_coupon: `CODE${couponId(n * 31)}` } : {},
    status_transitions: { paid_at: created },
  };
  const event = { id: `evt_${n}`, object: 'event', type: 'invoice.paid', created, livemode: true, data: { object: invoice } };
  return signEvent(shop, JSON.stringify(event));
}
