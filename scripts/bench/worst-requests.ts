import type { OperationId } from '../../generated/operations.ts';
import { busyDay, explainedOrder, type HostileShape } from './dataset/hostile.ts';
import { adminId, ownerOf, whale } from './dataset/sizes.ts';
import type { BenchRequest } from './requests.ts';

/** Rounds differ, so that no cache has the response, and what can be done once is done to another record. They begin with 1. */
type WorstRequest = (round: number) => BenchRequest;

const owner = ownerOf(whale);
const daysBefore = (days: number): string => new Date(Date.UTC(2026, 0, 1) - days * 86_400_000).toISOString().slice(0, 10);
const read = (path: string, userId = adminId): WorstRequest => {
  const separator = path.includes('?') ? '&' : '?';
  return (round) => ({ path: `${path}${separator}round=${round}`, userId });
};
const byAdmin =
  (request: (round: number) => Omit<BenchRequest, 'userId'>): WorstRequest =>
  (round) => ({ userId: adminId, ...request(round) });

const longList = [...Array.from({ length: 999 }, (_, at) => `${'x'.repeat(990)}${at}`), 'payout.paid'];
const manyValues = Array.from({ length: 9900 }, () => 1);
const long = (length: number): string => 'x'.repeat(length);
const date = '2025-12-30T10:00:00';
const personOf = (n: number, prefix: string): object => ({
  ...{ login: `${prefix}${n}`, email: `${prefix}${n}@store.example`, display_name: long(200) },
});

/** A hundred records, the most of one request. */
const sendRecords = (kind: string, recordOf: (n: number) => object): WorstRequest =>
  byAdmin((round) => ({
    path: `/store/${kind}`,
    method: 'POST',
    body: Array.from({ length: 100 }, (_, at) => recordOf(100 * round + at)),
  }));

const kinds = ['referral', 'commission_added', 'payout_request', 'payout_paid', 'payout_cancelled', 'payout_details'].join();

/**
 * The slowest legal requests of each operation, as far as they were found, to a data set with hostile shapes. Coupons of the base data set
 * with the numbers 6, 10, 14 … have a balance and no open payout, and payouts but each tenth are paid.
 */
export const worstRequests = ({ days, webhooks, keys, registrations }: HostileShape): Partial<Record<OperationId, WorstRequest[]>> => {
  const inSteps = (round: number): string => `from=${daysBefore(days)}&to=${daysBefore(round)}&interval=day`;
  return {
    get_me: [read('/me', owner)],
    get_affiliates: [read('/affiliates?per_page=100'), read('/affiliates?per_page=100&search=user&orderby=unpaid_commission&order=desc')],
    get_affiliates_id: [read(`/affiliates/${owner}`)],
    get_affiliates_id_stats: [
      read(`/affiliates/${owner}/stats`),
      byAdmin((round) => ({ path: `/affiliates/${owner}/stats?${inSteps(round)}` })),
    ],
    get_coupons: [read(`/coupons?per_page=100&user_id=${owner}&search=x&orderby=code`)],
    get_coupons_id: [read(`/coupons/${whale}`, owner + 90)],
    get_coupons_id_stats: [
      byAdmin((round) => ({ path: `/coupons/${whale}/stats?${inSteps(round)}` })),
      // One rebuild a minute: the first is of the whale.
      byAdmin((round) => ({ path: `/coupons/${round}/stats?refresh=true` })),
    ],
    get_coupons_id_orders: [
      read(`/coupons/${whale}/orders?per_page=100&page=2&from=${daysBefore(days)}`),
      read(`/coupons/${whale}/orders?per_page=100&page=2&commission_status=granted`),
    ],
    get_coupons_id_orders_order_id_explanation: [read(`/coupons/${whale}/orders/${explainedOrder}/explanation`)],
    get_payouts: [read('/payouts?per_page=100&orderby=amount')],
    post_payouts: [
      byAdmin((round) => ({ path: '/payouts', method: 'POST', body: { coupon_id: 4 * round + 2, other: manyValues }, expect: 201 })),
    ],
    get_payouts_id: [read('/payouts/1')],
    post_payouts_id_status: [
      byAdmin((round) => ({ path: `/payouts/${round + Math.floor((round - 1) / 9)}/status`, method: 'POST', body: { status: 'cancel' } })),
    ],
    get_registrations: [read('/registrations?per_page=100'), read('/registrations?per_page=100&search=a')],
    get_registrations_id: [read('/registrations/1')],
    post_registrations_id_status: [
      byAdmin((round) => ({
        path: `/registrations/${round}/status`,
        method: 'POST',
        body: { status: 'accepted', message: '<'.repeat(5000), other: manyValues },
      })),
    ],
    post_registrations_id_preview: [
      byAdmin(() => ({
        path: `/registrations/${registrations}/preview`,
        method: 'POST',
        body: { status: 'accepted', message: '<'.repeat(5000), other: manyValues },
      })),
    ],
    get_clicks_stats: [byAdmin((round) => ({ path: `/clicks/stats?${inSteps(round)}` }))],
    get_events: [read(`/events?after=0&per_page=100&event=${kinds}`), read(`/events?per_page=100&page=2&event=${kinds}`)],
    get_reports_summary: [
      byAdmin((round) => ({ path: `/reports/summary?from=${daysBefore(days)}&to=${daysBefore(round)}&top=50` })),
      byAdmin((round) => ({ path: `/reports/summary?from=${busyDay}&to=${busyDay}&top=50&refresh=${round % 2 === 0}` })),
    ],
    get_keys: [read(`/keys?per_page=100&user_id=${adminId}&page=${Math.max(1, Math.floor(keys / 100))}`)],
    post_keys: [
      byAdmin(() => ({
        path: '/keys',
        method: 'POST',
        body: { description: 'x'.repeat(200), scopes: ['read'], other: manyValues },
        expect: 201,
      })),
      // A megabyte that is not valid.
      byAdmin(() => ({ path: '/keys', method: 'POST', body: { description: '\u0001'.repeat(170_000), scopes: ['read'] }, expect: 400 })),
    ],
    delete_keys_id: [byAdmin((round) => ({ path: `/keys/${owner + round}`, method: 'DELETE' }))],
    get_webhooks: [read('/webhooks?per_page=100')],
    post_webhooks: [
      byAdmin(() => ({ path: '/webhooks', method: 'POST', body: { url: 'https://1.1.1.1/', events: longList }, expect: 201 })),
    ],
    get_webhooks_events: [read('/webhooks/events')],
    patch_webhooks_id: [
      byAdmin((round) => ({ path: `/webhooks/${webhooks - round}`, method: 'PATCH', body: { status: 'disabled', events: longList } })),
    ],
    delete_webhooks_id: [byAdmin((round) => ({ path: `/webhooks/${round}`, method: 'DELETE' }))],
    post_webhooks_id_test: [byAdmin(() => ({ path: `/webhooks/${Math.floor(webhooks / 2)}/test`, method: 'POST', expect: 502 }))],
    post_store_orders: [
      sendRecords('orders', (n) => ({
        order_id: 900_000_000 + n,
        coupon_id: whale,
        date,
        status: 'completed',
        total: 10,
        visitor: `v${n}`,
      })),
    ],
    post_store_clicks: [
      sendRecords('clicks', (n) => ({ coupon_id: whale, date, visitor: `v${n}`, referrer: long(2000), landing_page: long(2000) })),
    ],
    post_store_registrations: [sendRecords('registrations', (n) => ({ ...personOf(n, 'r'), promote: long(5000), referrer: long(4000) }))],
    post_store_affiliates: [
      sendRecords('affiliates', (n) => ({ ...personOf(n, 'a'), profile: { promote: long(5000), referrer: long(4000) }, parent: 'user2' })),
    ],
    post_store_coupons: [sendRecords('coupons', (n) => ({ code: `STORE${n}`, user: 'user2', date_created: date }))],
    post_store_payout_details: [
      sendRecords('payout-details', (n) => ({
        ...{ user: `user${2 + (n % 100)}`, method: 'PayPal', method_type: 'paypal', details: { email: `new${n}@shop.example` } },
      })),
    ],
    get_openapi: [byAdmin((round) => ({ path: '/openapi', headers: { 'X-Forwarded-Host': `host-${round}.example` } }))],
  };
};
