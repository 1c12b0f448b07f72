import { platforms } from '../../connectors/index.ts';
import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import type { IncomingOrder } from '../../domain/order-recording/incoming.ts';
import type { Application } from '../../domain/registrations/application.ts';
import type { OpenApiDocument } from '../../site/document/openapi.ts';
import { type Calendar, dayMilliseconds } from './calendar.ts';
import type { DayReport, PlannedAffiliate } from './plan.ts';

// The data of the contract's examples, under the same ids, so that every example call works on a new demo store.

export const storyIds = {
  summitWeekly: { user: 17, coupon: 288 },
  trailNotes: { user: 42, coupon: 301 },
  payout: 501,
  declined: 6,
  application: 7,
  key: 12,
  webhook: 5,
  delivery: 88,
  connection: '3f0c9a51d27e4b8896c1f0a45e7d2b63',
  shopWebhook: 6,
} as const;

/** Records of the year get the ids after those of the story. */
export const firstIds = { payout: storyIds.payout + 1, registration: storyIds.application + 1, order: 58_412 };

type StoryAffiliate = Pick<PlannedAffiliate, 'displayName' | 'login' | 'word'> & Partial<PlannedAffiliate>;

const paypal = (login: string): PlannedAffiliate['payout'] => ({
  method: 'PayPal',
  methodType: 'paypal',
  details: { email: `pay@${login}.example` },
});

/** The first two affiliates of the plan. The demo's affiliate credentials are for Trail Notes. */
export const storyAffiliates: readonly StoryAffiliate[] = [
  {
    displayName: 'Summit Weekly',
    login: 'summitweekly',
    word: 'SUMMIT',
    email: 'desk@summitweekly.example',
    payout: paypal('summitweekly'),
    ids: storyIds.summitWeekly,
  },
  {
    displayName: 'Trail Notes',
    login: 'trailnotes',
    word: 'TRAIL',
    promote: 'Gear reviews and a monthly newsletter',
    referrer: 'Summit Weekly',
    groups: ['bloggers'],
    customFields: { newsletter_readers: 4200 },
    payout: paypal('trailnotes'),
    ids: storyIds.trailNotes,
  },
];

export const [summitIndex, trailIndex] = [0, 1];

/** Declined before the year. */
export const declinedApplication: Application = {
  id: storyIds.declined,
  login: 'bargainbin',
  email: 'deals@bargainbin.example',
  displayName: 'Bargain Bin',
  couponCode: 'BARGAIN',
  type: 'affiliate',
  promote: 'Coupon lists',
  website: 'https://bargainbin.example',
};
export const declineMessage = 'We do not work with coupon lists.';

/** Open, so that it can be accepted. TRAIL10 exists already, so Trail Notes applies for a second coupon. */
export const openApplication: Application = {
  id: storyIds.application,
  login: 'trailnotes',
  email: 'hello@trailnotes.example',
  displayName: 'Trail Notes',
  couponCode: 'TRAIL15',
  type: 'affiliate',
  promote: 'Gear reviews and a monthly newsletter',
  referrer: 'Summit Weekly',
  website: 'https://trailnotes.example',
  customFields: { newsletter_readers: 4200 },
};

/** The day of the year from whose night on the payout of the story is open: a week before the end, so that there is new commission. */
export const isPayoutWeek = (week: number, calendar: Calendar): boolean => week === Math.floor(calendar.days.length / 7) - 2;

/** TRAIL10 has no other payout that would be open by then. */
export const isBeforePayout = (week: number, calendar: Calendar): boolean => week > Math.floor(calendar.days.length / 7) - 7;

const daysBeforeEnd = { 58_213: 42, 58_340: 35, 58_412: 12 };

export const storyOrders = Object.keys(daysBeforeEnd).length;

const order = (orderId: keyof typeof daysBeforeEnd, amounts: Pick<IncomingOrder, 'total' | 'discount' | 'shipping'>) => ({
  orderId,
  status: 'processing' as const,
  quantity: 1,
  refunded: 0,
  tax: Math.round((amounts.total - amounts.discount) * 0.19),
  ...amounts,
});

/** Adds the three orders of TRAIL10, the first by a link. `couponIndex` is the coupon's index in the plan. */
export function addStoryOrders(reports: readonly DayReport[], couponIndex: number, calendar: Calendar): void {
  const report = (placed: Omit<IncomingOrder, 'placedAt'>, changes: Readonly<Record<number, Partial<IncomingOrder>>> = {}): void => {
    const day = reports.length - daysBeforeEnd[placed.orderId as keyof typeof daysBeforeEnd];
    const placedAt = calendar.nightOf(day) - dayMilliseconds / 3;
    reports[day]?.orders.push({ ...placed, placedAt });
    for (const [later, change] of Object.entries(changes)) reports[day + Number(later)]?.orders.push({ ...placed, placedAt, ...change });
  };
  const visitor = 'demo-reader-of-trail-notes';
  const clickDay = reports.length - daysBeforeEnd[58_213];
  const clickedAt = calendar.nightOf(clickDay) - dayMilliseconds / 2;
  const click: IncomingClick = { couponId: couponIndex, clickedAt, visitor, campaign: 'autumn', referrer: 'https://trailnotes.example/' };
  reports[clickDay]?.clicks.push(click);
  const couponId = couponIndex;
  report({ ...order(58_213, { total: 17_980, discount: 1798, shipping: 490 }), couponId, visitor }, { 3: { status: 'completed' } });
  const refunded = { status: 'completed', refunded: 5400 } as const;
  report({ ...order(58_340, { total: 24_000, discount: 2400, shipping: 490 }), couponId }, { 2: { status: 'completed' }, 3: refunded });
  report({ ...order(58_412, { total: 9990, discount: 999, shipping: 490 }), couponId });
}

/** That of the examples, and one that shows the orders of the demo's shop. */
export const storyWebhooks = [
  { id: storyIds.webhook, name: 'Bookkeeping', events: ['payout.requested', 'payout.paid'] },
  { id: storyIds.shopWebhook, name: 'Demo shop', events: ['referral.created', 'commission.added', 'commission.removed'] },
];
/** Of the examples. No such host exists. */
export const exampleReceiver = 'https://books.fjell.example/hooks/affiliates';

/** The served document with the address of the demo's own receiver in its examples. */
export const withReceiver = (document: OpenApiDocument, url: string): OpenApiDocument =>
  JSON.parse(JSON.stringify(document).replaceAll(JSON.stringify(exampleReceiver), JSON.stringify(url))) as OpenApiDocument;

export const storyConnection = { platform: platforms[0], name: 'Fjell' };

export const storyKey = { description: 'Dashboard of Trail Notes', scopes: ['read'] } as const;
