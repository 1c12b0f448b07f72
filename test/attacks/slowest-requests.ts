import type { OperationId } from '../../generated/operations.ts';
import { settingPaths } from '../../site/settings/settings.ts';
import { adminId, busyDay, connectionIdOf, explainedOrder, ownerOf, type ProgramShape, whale } from '../support/large-program.ts';

export interface SlowRequest {
  path: string;
  userId: number;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers: Record<string, string>;
  status: number;
}

const owner = ownerOf(whale);
const long = (length: number): string => 'x'.repeat(length);
const daysBefore = (days: number): string => new Date(Date.UTC(2026, 0, 1) - days * 86_400_000).toISOString().slice(0, 10);

const read = (path: string, userId = adminId): SlowRequest => ({ path, userId, method: 'GET', headers: {}, status: 200 });
const write = (method: SlowRequest['method'], path: string, body?: unknown, status = 200): SlowRequest => ({
  ...read(path),
  method,
  body,
  status,
});
const post = (path: string, body?: unknown, status?: number): SlowRequest => write('POST', path, body, status);

/** A hundred records, the most of one request. */
const sendRecords = (kind: string, recordOf: (n: number) => object): SlowRequest =>
  post(
    `/store/${kind}`,
    Array.from({ length: 100 }, (_, n) => recordOf(n)),
  );

const longList = [...Array.from({ length: 999 }, (_, n) => `${long(990)}${n}`), 'payout.paid'];
const manyValues = Array.from({ length: 9900 }, () => 1);
const manyFields = Object.fromEntries(manyValues.slice(0, 5000).map((_, n) => [`f${n}`, 1]));
const switchPaths = settingPaths.map(({ path }) => path).filter((path) => path.startsWith('switches.'));
const date = '2025-12-30T10:00:00';
const person = (login: string): object => ({ login, email: `${login}@store.example`, display_name: long(200) });
const kinds = ['referral', 'commission_added', 'payout_request', 'payout_paid', 'payout_cancelled', 'payout_details'].join();
const decision = { status: 'accepted', message: '<'.repeat(5000), other: manyValues };

/** The slowest legal requests of each operation, as far as they were found. */
export function slowestRequests(shape: ProgramShape): Partial<Record<OperationId, SlowRequest[]>> {
  const { days, webhooks, keys, registrations, deliveries } = shape;
  const inSteps = `from=${daysBefore(days)}&to=${daysBefore(1)}&interval=day`;
  const orders = `/coupons/${whale}/orders?per_page=100&page=2`;
  return {
    get_me: [read('/me', owner)],
    get_me_payout_details: [read('/me/payout-details', owner)],
    put_me_payout_details: [
      write('PUT', '/me/payout-details', { method_type: 'custom', details: { list: manyValues } }),
      // The error names unknown fields.
      write('PUT', '/me/payout-details', { method_type: 'paypal', details: manyFields }, 400),
    ],
    patch_me_profile: [
      write('PATCH', '/me/profile', { display_name: long(250), phone: long(100), website: long(5000), other: manyValues }),
    ],
    get_affiliates: [
      read('/affiliates?per_page=100'),
      read('/affiliates?per_page=100&coupons=any&search=x&orderby=unpaid_commission&order=desc'),
    ],
    get_affiliates_id: [read(`/affiliates/${owner}`)],
    get_affiliates_id_clicks: [read(`/affiliates/${owner}/clicks?${inSteps}`)],
    post_affiliates_id_invitation: [post(`/affiliates/${owner + 50}/invitation`)],
    get_affiliates_id_stats: [read(`/affiliates/${owner}/stats`), read(`/affiliates/${owner}/stats?${inSteps}`)],
    post_affiliates_id_status: [post(`/affiliates/${owner + 50}/status`, { status: 'disabled', other: manyValues })],
    get_coupons: [read(`/coupons?per_page=100&user_id=${owner}&search=x&orderby=code`)],
    get_coupons_id: [read(`/coupons/${whale}`, owner + 90)],
    get_coupons_id_stats: [read(`/coupons/${whale}/stats?${inSteps}`), read(`/coupons/${whale}/stats?refresh=true`)],
    get_coupons_id_orders: [read(`${orders}&from=${daysBefore(days)}`), read(`${orders}&commission_status=granted`)],
    get_coupons_id_orders_order_id_explanation: [read(`/coupons/${whale}/orders/${explainedOrder}/explanation`)],
    get_orders: [
      read('/orders?per_page=100&page=2&commission_status=granted'),
      read('/orders?per_page=100&page=8&status=processing', owner),
      read(`/orders?per_page=100&page=2&search=CODE1&from=${daysBefore(days)}`),
    ],
    get_adjustments: [read('/adjustments?per_page=100')],
    post_adjustments: [post('/adjustments', { coupon_id: whale, amount: -0.01, note: long(500), other: manyValues }, 201)],
    get_payouts: [read('/payouts?per_page=100&orderby=amount')],
    post_payouts: [post('/payouts', { coupon_id: 6, other: manyValues }, 201)],
    get_payouts_id: [read('/payouts/1')],
    post_payouts_id_status: [post('/payouts/1/status', { status: 'cancel' })],
    get_payouts_id_history: [read('/payouts/1/history?per_page=100')],
    post_payout_runs: [post('/payout-runs', { preview: true, other: manyValues }), post('/payout-runs', {})],
    get_payout_batches: [read('/payout-batches?per_page=100')],
    post_payout_batches: [
      post('/payout-batches', { format: 'csv', despite_debt: true, despite_changes: true, despite_signals: true, other: manyValues }, 201),
    ],
    get_payout_batches_id: [read('/payout-batches/1')],
    post_payout_batches_id_status: [post('/payout-batches/1/status', { status: 'paid' })],
    get_risk_signals: [read('/risk/signals?per_page=100&severity=low')],
    get_risk_signals_id: [read('/risk/signals/1')],
    post_risk_signals_id_status: [post('/risk/signals/1/status', { status: 'dismissed', note: long(500), other: manyValues })],
    get_registrations: [read('/registrations?per_page=100'), read('/registrations?per_page=100&search=a')],
    get_registrations_id: [read('/registrations/1')],
    post_registrations_id_status: [post('/registrations/1/status', decision)],
    post_registrations_id_preview: [post(`/registrations/${registrations}/preview`, decision)],
    get_clicks_stats: [read(`/clicks/stats?${inSteps}`)],
    // To open it. What it sends it reads in pages, each as GET /events, when its reader has taken the one before.
    get_events_stream: [{ ...read(`/events/stream?cursor=0&event=${kinds}`), method: 'HEAD' }],
    get_events: [read(`/events?after=0&per_page=100&event=${kinds}`), read(`/events?per_page=100&page=2&event=${kinds}`)],
    get_reports_summary: [
      read(`/reports/summary?from=${daysBefore(days)}&to=${daysBefore(1)}&top=50`),
      read(`/reports/summary?from=${busyDay}&to=${busyDay}&top=50`),
    ],
    get_keys: [read(`/keys?per_page=100&user_id=${adminId}&page=${Math.max(1, Math.floor(keys / 100))}`)],
    post_keys: [
      post('/keys', { description: long(200), scopes: ['read'], other: manyValues }, 201),
      // A megabyte that is not valid.
      post('/keys', { description: '\u0001'.repeat(170_000), scopes: ['read'] }, 400),
    ],
    delete_keys_id: [write('DELETE', `/keys/${owner + 1}`)],
    get_webhooks: [read('/webhooks?per_page=100')],
    post_webhooks: [post('/webhooks', { url: 'https://1.1.1.1/', events: longList }, 201)],
    get_webhooks_events: [read('/webhooks/events')],
    patch_webhooks_id: [write('PATCH', `/webhooks/${webhooks - 1}`, { status: 'disabled', events: longList })],
    get_webhooks_id_deliveries: [read('/webhooks/1/deliveries?per_page=100'), read('/webhooks/1/deliveries?per_page=100&page=2')],
    post_webhooks_id_deliveries_delivery_replay: [post(`/webhooks/2/deliveries/dlv_${deliveries + 1}/replay`)],
    delete_webhooks_id: [write('DELETE', '/webhooks/1')],
    post_webhooks_id_test: [post(`/webhooks/${Math.floor(webhooks / 2)}/test`, undefined, 502)],
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
    post_store_registrations: [sendRecords('registrations', (n) => ({ ...person(`r${n}`), promote: long(5000), referrer: long(4000) }))],
    post_store_affiliates: [
      sendRecords('affiliates', (n) => ({ ...person(`a${n}`), profile: { promote: long(5000), referrer: long(4000) }, parent: 'user2' })),
    ],
    post_store_coupons: [sendRecords('coupons', (n) => ({ code: `STORE${n}`, user: 'user2', date_created: date }))],
    post_store_payout_details: [
      sendRecords('payout-details', (n) => ({
        user: `user${2 + n}`,
        method: 'PayPal',
        method_type: 'paypal',
        details: { email: `new${n}@shop.example` },
      })),
    ],
    get_store_connections_id_deliveries: [read(`/store/connections/${connectionIdOf(1)}/deliveries?per_page=100&page=2`)],
    put_store_connections_id_secret: [write('PUT', `/store/connections/${connectionIdOf(1)}/secret`, { secret: long(500) })],
    delete_store_connections_id: [1, 2, 3].map((n) => write('DELETE', `/store/connections/${connectionIdOf(n)}`)),
    get_store_connections: [read('/store/connections?per_page=100'), read('/store/connections?per_page=100&page=2')],
    // After the deletion, and with the address that it needs.
    post_store_connections: [
      write('PATCH', '/settings', { 'service.url': 'https://affiliates.example' }),
      post('/store/connections', { platform: 'woocommerce', name: long(200), other: manyValues }, 201),
    ],
    get_settings: [read('/settings?per_page=100')],
    patch_settings: [
      write('PATCH', '/settings', Object.fromEntries(switchPaths.map((path) => [path, true]))),
      write('PATCH', '/settings', Object.fromEntries(switchPaths.map((path) => [path, null]))),
      // The error suggests a path for each.
      write('PATCH', '/settings', Object.fromEntries(manyValues.slice(0, 100).map((_, n) => [`payouts.methods.${long(30)}${n}`, 1])), 400),
    ],
    get_openapi: [{ ...read('/openapi'), headers: { 'X-Forwarded-Host': 'host-1.example' } }],
  };
}
