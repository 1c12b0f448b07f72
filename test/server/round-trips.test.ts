import { expect } from 'chai';
import { disconnectStore } from '../../domain/store/manage-connections.ts';
import { type OperationId, operations } from '../../generated/operations.ts';
import { DriverCounter } from '../support/driver-counter.ts';
import { forEachEngine } from '../support/engines.ts';
import {
  adminId,
  connectionIdOf,
  createLargeProgram,
  ownerOf,
  type ProgramShape,
  payOut,
  tokenOf,
  whale,
} from '../support/large-program.ts';
import { TestService } from '../support/service.ts';

const shape: ProgramShape = { coupons: 5, couponsOfEach: 1, days: 10, keys: 8, webhooks: 8, deliveries: 5, registrations: 8 };

interface Request {
  path: string;
  userId?: number;
  method?: 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  expect?: number;
  /** Not counted. */
  prepare?(service: TestService): Promise<void>;
}

/** A coupon of the data set that is neither the largest nor one of the shape above. */
const couponId = 9;
const owner = ownerOf(couponId);
const date = '2025-12-30T10:00:00';
const range = 'from=2025-01-01&to=2025-12-';

const post = (path: string, body: unknown, expected = 200): Request => ({ path, method: 'POST', body, expect: expected });
const personOf = (name: string): object => ({ login: name, email: `${name}@store.example`, display_name: name });

/** A plain request of each operation. Rounds differ, so that no response is cached and no record is changed twice; they begin with 1. */
const requests: Partial<Record<OperationId, (round: number) => Request>> = {
  get_me: () => ({ path: '/me', userId: owner }),
  get_me_payout_details: () => ({ path: '/me/payout-details', userId: owner }),
  put_me_payout_details: (round) => ({
    path: '/me/payout-details',
    method: 'PUT',
    userId: owner,
    body: { method_type: 'paypal', details: { email: `own${round}@shop.example` } },
  }),
  patch_me_profile: (round) => ({ path: '/me/profile', method: 'PATCH', userId: owner, body: { phone: String(round) } }),
  get_affiliates: () => ({ path: '/affiliates' }),
  get_affiliates_id: () => ({ path: `/affiliates/${owner}`, userId: owner }),
  get_affiliates_id_clicks: (round) => ({ path: `/affiliates/${ownerOf(whale)}/clicks?${range}${10 + round}` }),
  post_affiliates_id_invitation: (round) => post(`/affiliates/${owner + round}/invitation`, undefined),
  get_affiliates_id_stats: () => ({ path: `/affiliates/${owner}/stats`, userId: owner }),
  post_affiliates_id_status: (round) => post(`/affiliates/${owner + 20 + round}/status`, { status: 'disabled' }),
  get_coupons: () => ({ path: '/coupons' }),
  get_coupons_id: () => ({ path: `/coupons/${couponId}`, userId: owner }),
  get_coupons_id_stats: () => ({ path: `/coupons/${couponId}/stats`, userId: owner }),
  get_coupons_id_orders: () => ({ path: '/coupons/2/orders', userId: ownerOf(2) }),
  get_coupons_id_orders_order_id_explanation: () => ({ path: '/coupons/2/orders/1/explanation', userId: ownerOf(2) }),
  get_orders: () => ({ path: '/orders', userId: ownerOf(2) }),
  get_adjustments: () => ({ path: '/adjustments' }),
  post_adjustments: (round) => post('/adjustments', { coupon_id: couponId, amount: round, note: 'A bonus' }, 201),
  get_payouts: () => ({ path: '/payouts' }),
  post_payouts: (round) => post('/payouts', { coupon_id: 4 * round + 2 }, 201),
  get_payouts_id: () => ({ path: '/payouts/1' }),
  post_payouts_id_status: (round) => post(`/payouts/${round}/status`, { status: 'cancel' }),
  get_payouts_id_history: () => ({ path: '/payouts/1/history' }),
  post_payout_runs: (round) => post('/payout-runs', { coupon_ids: [4 * round + 3] }),
  get_payout_batches: () => ({ path: '/payout-batches' }),
  // The first round takes all payouts; the others find none.
  post_payout_batches: (round) => post('/payout-batches', { format: 'csv' }, round === 1 ? 201 : 409),
  get_payout_batches_id: () => ({ path: '/payout-batches/1' }),
  post_payout_batches_id_status: (round) => post('/payout-batches/1/status', { status: 'paid' }, round === 1 ? 200 : 409),
  get_risk_signals: () => ({ path: '/risk/signals' }),
  get_risk_signals_id: () => ({ path: '/risk/signals/1' }),
  post_risk_signals_id_status: (round) => post(`/risk/signals/${round}/status`, { status: 'dismissed' }),
  get_registrations: () => ({ path: '/registrations' }),
  get_registrations_id: () => ({ path: '/registrations/8' }),
  post_registrations_id_status: (round) => post(`/registrations/${round}/status`, { status: 'accepted' }),
  post_registrations_id_preview: () => post('/registrations/8/preview', { status: 'accepted', message: 'Welcome' }),
  get_clicks_stats: (round) => ({ path: `/clicks/stats?${range}${10 + round}` }),
  get_events: () => ({ path: '/events?after=0' }),
  get_events_stream: () => ({ path: '/events/stream', method: 'HEAD' }),
  get_reports_summary: (round) => ({ path: `/reports/summary?${range}${10 + round}` }),
  get_keys: () => ({ path: '/keys' }),
  post_keys: () => post('/keys', { description: 'till', scopes: ['read'] }, 201),
  delete_keys_id: (round) => ({ path: `/keys/${30 + round}`, method: 'DELETE' }),
  get_webhooks: () => ({ path: '/webhooks' }),
  post_webhooks: () => post('/webhooks', { url: 'https://1.1.1.1/', events: ['payout.paid'] }, 201),
  get_webhooks_events: () => ({ path: '/webhooks/events' }),
  patch_webhooks_id: (round) => ({ path: `/webhooks/${round}`, method: 'PATCH', body: { events: ['payout.paid', 'payout.requested'] } }),
  get_webhooks_id_deliveries: () => ({ path: '/webhooks/1/deliveries' }),
  post_webhooks_id_deliveries_delivery_replay: () => post(`/webhooks/2/deliveries/dlv_${shape.deliveries + 1}/replay`, undefined),
  delete_webhooks_id: (round) => ({ path: `/webhooks/${round}`, method: 'DELETE' }),
  post_webhooks_id_test: () => ({ path: '/webhooks/8/test', method: 'POST', expect: 502 }),
  post_store_orders: (round) =>
    post('/store/orders', [{ order_id: 900_000_000 + round, coupon_id: couponId, date, status: 'completed', total: 10 }]),
  post_store_clicks: (round) => post('/store/clicks', [{ coupon_id: couponId, date, visitor: `visitor${round}` }]),
  post_store_registrations: (round) => post('/store/registrations', [personOf(`applicant${round}`)]),
  post_store_affiliates: (round) => post('/store/affiliates', [personOf(`affiliate${round}`)]),
  post_store_coupons: (round) => post('/store/coupons', [{ code: `STORE${round}`, user: `user${owner}`, date_created: date }]),
  post_store_payout_details: (round) =>
    post('/store/payout-details', [
      { user: `user${owner + round}`, method: 'PayPal', method_type: 'paypal', details: { email: `new${round}@shop.example` } },
    ]),
  get_store_connections_id_deliveries: () => ({ path: `/store/connections/${connectionIdOf(1)}/deliveries` }),
  put_store_connections_id_secret: () => ({ path: `/store/connections/${connectionIdOf(1)}/secret`, method: 'PUT', body: {} }),
  delete_store_connections_id: (round) => ({ path: `/store/connections/${connectionIdOf(round)}`, method: 'DELETE' }),
  get_store_connections: () => ({ path: '/store/connections' }),
  post_store_connections: () => ({
    ...post('/store/connections', { platform: 'woocommerce' }, 201),
    prepare: async ({ storage, settings }) => {
      await settings.set('service.url', 'https://affiliates.example');
      await storage.write(async (transaction) => {
        const active = await transaction.connections.active();
        if (active) await disconnectStore(transaction, active.id, 1);
      });
    },
  }),
  get_settings: () => ({ path: '/settings' }),
  patch_settings: (round) => ({ path: '/settings', method: 'PATCH', body: { 'store.name': `Shop ${round}` } }),
  get_openapi: () => ({ path: '/openapi' }),
};

/** How many there are, all in all: with those of transactions, rate limit and lock-out. On SQLite each statement is a round trip to a thread. */
const counts: Partial<Record<OperationId, { sqlite: number; postgres: [statements: number, roundTrips: number] }>> = {
  get_me: { sqlite: 1, postgres: [2, 2] },
  get_me_payout_details: { sqlite: 1, postgres: [2, 2] },
  put_me_payout_details: { sqlite: 11, postgres: [16, 10] },
  patch_me_profile: { sqlite: 4, postgres: [7, 5] },
  get_affiliates: { sqlite: 6, postgres: [7, 4] },
  get_affiliates_id: { sqlite: 9, postgres: [10, 5] },
  get_affiliates_id_clicks: { sqlite: 7, postgres: [8, 6] },
  post_affiliates_id_invitation: { sqlite: 9, postgres: [13, 10] },
  get_affiliates_id_stats: { sqlite: 7, postgres: [8, 4] },
  post_affiliates_id_status: { sqlite: 15, postgres: [19, 12] },
  get_coupons: { sqlite: 4, postgres: [5, 3] },
  get_coupons_id: { sqlite: 1, postgres: [2, 2] },
  get_coupons_id_stats: { sqlite: 1, postgres: [2, 2] },
  get_coupons_id_orders: { sqlite: 5, postgres: [6, 4] },
  get_coupons_id_orders_order_id_explanation: { sqlite: 9, postgres: [10, 7] },
  get_orders: { sqlite: 6, postgres: [7, 4] },
  get_adjustments: { sqlite: 4, postgres: [5, 3] },
  post_adjustments: { sqlite: 12, postgres: [16, 12] },
  get_payouts: { sqlite: 4, postgres: [5, 3] },
  post_payouts: { sqlite: 13, postgres: [18, 8] },
  get_payouts_id: { sqlite: 1, postgres: [2, 2] },
  post_payouts_id_status: { sqlite: 15, postgres: [20, 10] },
  get_payouts_id_history: { sqlite: 7, postgres: [8, 5] },
  post_payout_runs: { sqlite: 20, postgres: [25, 15] },
  get_payout_batches: { sqlite: 4, postgres: [5, 3] },
  post_payout_batches: { sqlite: 4, postgres: [8, 6] },
  get_payout_batches_id: { sqlite: 4, postgres: [5, 4] },
  post_payout_batches_id_status: { sqlite: 3, postgres: [6, 4] },
  get_risk_signals: { sqlite: 4, postgres: [5, 3] },
  get_risk_signals_id: { sqlite: 1, postgres: [2, 2] },
  post_risk_signals_id_status: { sqlite: 7, postgres: [11, 9] },
  get_registrations: { sqlite: 4, postgres: [5, 3] },
  get_registrations_id: { sqlite: 3, postgres: [4, 3] },
  post_registrations_id_status: { sqlite: 30, postgres: [34, 28] },
  post_registrations_id_preview: { sqlite: 6, postgres: [7, 6] },
  get_clicks_stats: { sqlite: 4, postgres: [5, 4] },
  get_events: { sqlite: 4, postgres: [5, 3] },
  get_events_stream: { sqlite: 1, postgres: [2, 2] },
  get_reports_summary: { sqlite: 11, postgres: [12, 6] },
  get_keys: { sqlite: 5, postgres: [6, 4] },
  post_keys: { sqlite: 7, postgres: [11, 7] },
  delete_keys_id: { sqlite: 8, postgres: [12, 8] },
  get_webhooks: { sqlite: 5, postgres: [6, 4] },
  post_webhooks: { sqlite: 8, postgres: [12, 9] },
  get_webhooks_events: { sqlite: 0, postgres: [1, 1] },
  patch_webhooks_id: { sqlite: 7, postgres: [10, 7] },
  get_webhooks_id_deliveries: { sqlite: 7, postgres: [8, 6] },
  post_webhooks_id_deliveries_delivery_replay: { sqlite: 6, postgres: [9, 7] },
  delete_webhooks_id: { sqlite: 3, postgres: [6, 4] },
  post_webhooks_id_test: { sqlite: 12, postgres: [17, 12] },
  post_store_orders: { sqlite: 13, postgres: [18, 9] },
  post_store_clicks: { sqlite: 10, postgres: [13, 10] },
  post_store_registrations: { sqlite: 9, postgres: [13, 9] },
  post_store_affiliates: { sqlite: 6, postgres: [9, 6] },
  post_store_coupons: { sqlite: 8, postgres: [11, 7] },
  post_store_payout_details: { sqlite: 10, postgres: [15, 9] },
  get_store_connections_id_deliveries: { sqlite: 5, postgres: [6, 4] },
  put_store_connections_id_secret: { sqlite: 4, postgres: [7, 5] },
  delete_store_connections_id: { sqlite: 4, postgres: [7, 5] },
  get_store_connections: { sqlite: 4, postgres: [5, 3] },
  post_store_connections: { sqlite: 4, postgres: [7, 5] },
  get_settings: { sqlite: 6, postgres: [7, 6] },
  patch_settings: { sqlite: 15, postgres: [19, 15] },
  get_openapi: { sqlite: 0, postgres: [1, 1] },
};

/** Each is counted so many times; the least counts, because the first round fills caches. */
const rounds = 3;

/** Settings and keys are read again every half second. While time stands still, no request has such a statement more, however slow the machine is. */
function stopTime(): () => void {
  const { now } = performance;
  const stopped = performance.now();
  performance.now = () => stopped;
  return () => {
    performance.now = now;
  };
}

forEachEngine((engine) => {
  describe('statements and round trips of each operation', () => {
    let service: TestService;
    let counter: DriverCounter;
    let letTimePass: () => void;
    before(async () => {
      const databaseUrl = await engine.freshUrl();
      await createLargeProgram(engine, databaseUrl, shape);
      counter = new DriverCounter();
      const sender = { resolve: async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })) };
      service = await TestService.start({ databaseUrl, sender, timeoutMs: 60_000 });
      await payOut(service, rounds);
      letTimePass = stopTime();
    });
    after(async () => {
      letTimePass();
      counter.stop();
      await service.stop();
    });

    it('are counted for every operation of the contract', () => {
      for (const [name, listed] of Object.entries({ requests, counts }))
        expect(Object.keys(listed).sort(), `${name} in test/server/round-trips.test.ts`).to.deep.equal(Object.keys(operations).sort());
    });

    for (const [operationId, requestOf] of Object.entries(requests) as [OperationId, (round: number) => Request][])
      it(operationId, async () => {
        const counted: [statements: number, roundTrips: number, list: string][] = [];
        for (let round = 1; round <= rounds; round += 1) {
          const { path, userId = adminId, method = 'GET', body, expect: status = 200, prepare } = requestOf(round);
          await prepare?.(service);
          const client = await service.client({ Authorization: `Bearer ${tokenOf(userId)}` });
          await client.get(`/webhooks/events?round=${round}`);
          counter.reset();
          const separator = path.includes('?') ? '&' : '?';
          const answer = await client.call(method, `${path}${separator}round=${round}`, body === undefined ? {} : { json: body });
          expect(answer.status, `${path} ${String(JSON.stringify(answer.body)).slice(0, 300)}`).to.equal(status);
          counted.push([counter.statements.length, counter.roundTrips, counter.statements.join('\n')]);
        }
        const least = (at: 0 | 1): number => Math.min(...counted.map((numbers) => numbers[at]));
        const list = counted.map(([, , texts]) => texts).join('\n\n');
        const { sqlite, postgres } = counts[operationId] ?? { sqlite: 0, postgres: [0, 0] };
        const [statements, roundTrips] = engine.name === 'sqlite' ? [sqlite, 0] : postgres;
        expect(least(0), `statements:\n${list}`).to.equal(statements);
        // Fewer where a statement is sent before the answer to another has arrived.
        expect(least(1), `round trips:\n${list}`).to.be.at.most(roundTrips);
      });
  });
});
