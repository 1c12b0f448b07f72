import type { IncomingOrder } from '../../domain/order-recording/incoming.ts';
import { type Calendar, dayMilliseconds } from './calendar.ts';
import type { DayReport, PlannedAffiliate } from './plan.ts';

// One case each of the commonest risk signals, by affiliates who are in no other part of the plan.

interface Sales {
  count: number;
  /** Days before the end of the year, spread evenly. */
  first: number;
  last: number;
  customerEmail?: string;
  /** The day before the end on which all of them are refunded. */
  refunded?: number;
}

interface RiskCase extends Pick<PlannedAffiliate, 'displayName' | 'login' | 'word' | 'promote'> {
  ids: { user: number; coupon: number };
  /** Of PayPal. By default an address of the site. */
  paidTo?: string;
  sales: readonly Sales[];
  /** Ids of payouts are below those of the year. */
  request?: { id: number; weeksBeforeEnd: number; replacedDetails?: string };
}

const cases: readonly RiskCase[] = [
  {
    displayName: 'Camp Stove Tests',
    login: 'campstovetests',
    word: 'STOVE',
    promote: 'Stoves, tested on rainy days',
    ids: { user: 18, coupon: 289 },
    sales: [
      { count: 5, first: 150, last: 40 },
      { count: 3, first: 30, last: 3, customerEmail: 'hello+shop@campstovetests.example' },
    ],
  },
  {
    displayName: 'Weekend Hikes',
    login: 'weekendhikes',
    word: 'WEEKEND',
    promote: 'A newsletter with one hike a week',
    ids: { user: 19, coupon: 290 },
    sales: [
      { count: 12, first: 110, last: 32 },
      { count: 24, first: 11, last: 1 },
    ],
  },
  {
    displayName: 'Big Pack Deals',
    login: 'bigpackdeals',
    word: 'BIGPACK',
    promote: 'What to buy for a long trip',
    ids: { user: 20, coupon: 291 },
    sales: [
      { count: 4, first: 118, last: 80 },
      { count: 3, first: 78, last: 62, refunded: 6 },
      { count: 2, first: 30, last: 20 },
    ],
    request: { id: 498, weeksBeforeEnd: 5 },
  },
  {
    displayName: 'Lakeside Camping',
    login: 'lakesidecamping',
    word: 'LAKE',
    promote: 'Places to camp by the water',
    ids: { user: 21, coupon: 292 },
    paidTo: 'money@lakesidecamping.example',
    sales: [{ count: 4, first: 100, last: 20 }],
    request: { id: 499, weeksBeforeEnd: 0 },
  },
  {
    displayName: 'Tents and More',
    login: 'tentsandmore',
    word: 'TENTS',
    promote: 'Tents for families',
    ids: { user: 22, coupon: 293 },
    paidTo: 'Money@lakesidecamping.example',
    sales: [{ count: 4, first: 90, last: 25 }],
  },
  {
    displayName: 'Old Ways on Foot',
    login: 'oldwaysonfoot',
    word: 'OLDWAYS',
    promote: 'Historical paths, with maps',
    ids: { user: 23, coupon: 294 },
    sales: [{ count: 5, first: 140, last: 20 }],
    request: { id: 500, weeksBeforeEnd: 0, replacedDetails: 'fast.cash@mailbox.example' },
  },
];

const paypal = (email: string): NonNullable<PlannedAffiliate['payout']> => ({
  method: 'PayPal',
  methodType: 'paypal',
  details: { email },
});

export const riskAffiliates: readonly PlannedAffiliate[] = cases.map(({ sales: _sales, request: _request, paidTo, word, ...profile }) => ({
  ...profile,
  word,
  joined: -1,
  applied: false,
  parent: null,
  coupons: [{ code: `${word}10`, status: 'publish', percent: null, discountType: 'percent', discount: 10 }],
  weight: 0,
  groups: [],
  payout: paypal(paidTo ?? `pay@${profile.login}.example`),
}));

const listSales = (): Sales[] => cases.flatMap(({ sales }) => sales);

export const riskOrders = listSales().reduce((sum, { count }) => sum + count, 0);

const totals = [8990, 21_990, 11_990, 14_990, 28_990];

/** Adds the orders of all cases, each by a typed code. `firstIndex` is the index of the first case's coupon in the plan. */
export function addRiskOrders(reports: readonly DayReport[], firstIndex: number, calendar: Calendar): void {
  let orderId = 1 + reports.flatMap(({ orders }) => orders).reduce((last, order) => Math.max(last, order.orderId), 0);
  for (const [at, { sales }] of cases.entries())
    for (const { count, first, last, refunded, customerEmail } of sales)
      for (let made = 0; made < count; made += 1) {
        const day = reports.length - Math.round(first - ((first - last) * made) / Math.max(1, count - 1));
        const total = totals[orderId % totals.length] ?? 0;
        const net = Math.round(total * 0.9);
        const placed: IncomingOrder = {
          orderId: orderId++,
          couponId: firstIndex + at,
          placedAt: calendar.nightOf(day) - (3 + (made % 9)) * (dayMilliseconds / 24),
          status: 'completed',
          total,
          discount: total - net,
          shipping: 0,
          tax: Math.round(net * 0.19),
          quantity: 1,
          refunded: 0,
          ...(customerEmail !== undefined && { customerEmail }),
        };
        reports[day]?.orders.push(placed);
        if (refunded !== undefined) reports[reports.length - refunded]?.orders.push({ ...placed, status: 'refunded', refunded: net });
      }
}

export interface RiskRequest {
  id: number;
  userId: number;
  couponId: number;
  /** Saved the evening before. */
  replacedDetails: PlannedAffiliate['payout'];
}

const lastWeekOf = ({ days }: Calendar): number => Math.ceil(days.length / 7) - 1;

/** Payouts that the cases request at the end of a week. */
export const listRiskRequests = (week: number, calendar: Calendar): RiskRequest[] =>
  cases.flatMap(({ ids, request }) => {
    if (!request || week !== lastWeekOf(calendar) - request.weeksBeforeEnd) return [];
    const { id, replacedDetails } = request;
    return [{ id, userId: ids.user, couponId: ids.coupon, replacedDetails: replacedDetails ? paypal(replacedDetails) : null }];
  });

/** Requests nothing by itself. */
export const isOfRiskCase = (couponId: number): boolean => cases.some(({ ids }) => ids.coupon === couponId);
