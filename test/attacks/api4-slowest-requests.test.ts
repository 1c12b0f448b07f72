import { expect } from 'chai';
import { type OperationId, operations } from '../../generated/operations.ts';
import { DriverCounter } from '../support/driver-counter.ts';
import { forEngineOrAll } from '../support/engines.ts';
import { createLargeProgram, type ProgramShape, payOut, tokenOf } from '../support/large-program.ts';
import { TestService } from '../support/service.ts';
import { slowestRequests } from './slowest-requests.ts';

/** More of everything than a response may list, so that a request without a bound exceeds the rows below. */
const shape: ProgramShape = { coupons: 600, couponsOfEach: 25, days: 40, keys: 300, webhooks: 400, deliveries: 600, registrations: 130 };

/** The most statements and rows of one request, with those that begin transactions, identify the caller and read settings. */
const bounds: Partial<Record<OperationId, [statements: number, rows: number]>> = {
  get_me: [12, 110],
  get_me_payout_details: [8, 6],
  put_me_payout_details: [20, 30],
  patch_me_profile: [13, 12],
  // A hundred affiliates with 20 coupons each.
  get_affiliates: [16, 2210],
  // A hundred coupons with their figures, and a hundred tiers above.
  get_affiliates_id: [14, 410],
  // A row for each of 40 days, twice.
  get_affiliates_id_clicks: [12, 100],
  post_affiliates_id_invitation: [16, 12],
  get_affiliates_id_stats: [16, 260],
  post_affiliates_id_status: [24, 420],
  get_coupons: [8, 110],
  get_coupons_id: [8, 6],
  // A rebuild reads three years month by month, and a row for each day and status.
  get_coupons_id_stats: [200, 480],
  get_coupons_id_orders: [10, 110],
  // Twenty clicks and ten shares with their coupons and affiliates, and two rows for each of a hundred movements.
  get_coupons_id_orders_order_id_explanation: [20, 310],
  get_orders: [12, 112],
  get_adjustments: [12, 230],
  post_adjustments: [20, 20],
  get_payouts: [8, 110],
  post_payouts: [27, 25],
  get_payouts_id: [6, 6],
  post_payouts_id_status: [26, 25],
  get_payouts_id_history: [12, 12],
  // Each payout of 500 has a transaction of its own.
  post_payout_runs: [10_000, 12_000],
  get_payout_batches: [10, 110],
  // A thousand payouts, each with its movement, event and mail.
  post_payout_batches: [12_000, 15_000],
  get_payout_batches_id: [8, 1010],
  post_payout_batches_id_status: [12_000, 15_000],
  get_risk_signals: [10, 110],
  get_risk_signals_id: [6, 6],
  post_risk_signals_id_status: [14, 20],
  get_registrations: [10, 110],
  get_registrations_id: [10, 8],
  post_registrations_id_status: [35, 31],
  post_registrations_id_preview: [10, 8],
  // A row for each of 40 days.
  get_clicks_stats: [10, 50],
  get_events: [21, 120],
  get_events_stream: [10, 16],
  // All coupons that sold on one day, with their owners: at most 10,000 in one statement and 40,000 in one report.
  get_reports_summary: [21, 6350],
  get_keys: [10, 110],
  post_keys: [13, 17],
  delete_keys_id: [14, 18],
  get_webhooks: [10, 210],
  post_webhooks: [15, 17],
  get_webhooks_events: [6, 6],
  patch_webhooks_id: [13, 12],
  // A hundred deliveries with 20 attempts each.
  get_webhooks_id_deliveries: [12, 2110],
  post_webhooks_id_deliveries_delivery_replay: [12, 8],
  delete_webhooks_id: [9, 6],
  post_webhooks_id_test: [18, 12],
  // A hundred records. Orders are recorded in batches, clicks in one; each of the others has a transaction of its own.
  post_store_orders: [120, 100],
  post_store_clicks: [28, 420],
  post_store_registrations: [1150, 1610],
  // With a hundred tiers above each.
  post_store_affiliates: [1250, 10_650],
  post_store_coupons: [950, 550],
  post_store_payout_details: [1350, 1910],
  get_store_connections_id_deliveries: [10, 112],
  put_store_connections_id_secret: [12, 10],
  delete_store_connections_id: [12, 10],
  get_store_connections: [10, 110],
  post_store_connections: [24, 36],
  get_settings: [12, 24],
  // Two statements for each setting.
  patch_settings: [150, 180],
  get_openapi: [8, 6],
};

// The repositories are the same on both; test/server/round-trips.test.ts counts the statements of PostgreSQL. PROVE_BOUNDS=all: on both.
forEngineOrAll('sqlite', process.env['PROVE_BOUNDS'] === 'all', (engine) => {
  describe('API4:2023 Unrestricted Resource Consumption: the slowest legal requests', () => {
    let service: TestService;
    let counter: DriverCounter;
    const statements: string[] = [];
    before(async () => {
      const databaseUrl = await engine.freshUrl();
      await createLargeProgram(engine, databaseUrl, shape);
      counter = new DriverCounter();
      const env = { TRUSTED_PROXIES: '127.0.0.1' };
      const sender = { resolve: async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })) };
      service = await TestService.start({ databaseUrl, env, sender, onStatement: (sql) => statements.push(sql) });
      await payOut(service, 48);
    });
    after(async () => {
      counter.stop();
      await service.stop();
    });

    it('an affiliate with more coupons than are listed has the balances and totals of all', async () => {
      const observer = await engine.observe(service.databaseUrl);
      const [all] = await observer.query<Record<string, unknown>>(`
        select sum(unpaid_minor) as unpaid, sum(orders_count) as orders, sum(commission_minor) as commission
        from coupons left join coupon_totals on coupon_totals.coupon_id = coupons.id where user_id = 2`);
      const client = await service.client({ Authorization: `Bearer ${tokenOf(2)}`, 'X-Forwarded-Proto': 'https' });
      const { body: affiliate } = await client.get('/affiliates/2');
      const { body: stats } = await client.get('/affiliates/2/stats');
      const { body: range } = await client.get('/affiliates/2/stats?from=1970-01-01');
      expect([affiliate.coupons.length, stats.coupons.length]).to.deep.equal([100, 100]);
      expect(affiliate.unpaid_commission)
        .to.equal(Number(all?.['unpaid']) / 100)
        .and.to.equal(stats.totals.unpaid_commission);
      for (const { totals } of [stats, range]) {
        expect([totals.orders_count, Math.round(totals.total_commission * 100)]).to.deep.equal([
          Number(all?.['orders']),
          Number(all?.['commission']),
        ]);
        expect(totals.orders_count).to.be.greaterThan(shape.coupons);
      }
    });

    it('has the worst requests and the bounds of every operation', () => {
      expect(Object.keys(slowestRequests(shape))).to.have.members(Object.keys(operations));
      expect(Object.keys(bounds)).to.have.members(Object.keys(operations));
    });

    for (const [operationId, requests] of Object.entries(slowestRequests(shape)))
      it(`${operationId} takes a bounded number of statements and rows, however much a record holds`, async () => {
        for (const { path, userId, method, body, headers, status } of requests) {
          const client = await service.client({ Authorization: `Bearer ${tokenOf(userId)}`, 'X-Forwarded-Proto': 'https', ...headers });
          [statements.length, counter.rows] = [0, 0];
          const answer = await client.call(method, path, body === undefined ? {} : { json: body });
          expect(answer.status, `${path} ${String(JSON.stringify(answer.body)).slice(0, 200)}`).to.equal(status);
          const [mostStatements, mostRows] = bounds[operationId as OperationId] ?? [0, 0];
          expect(statements.length, `statements of ${path}`).to.be.at.most(mostStatements);
          expect(counter.rows, `rows of ${path}`).to.be.at.most(mostRows);
        }
      });
  });
});
