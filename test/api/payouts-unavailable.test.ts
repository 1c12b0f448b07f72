import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';

const requests = {
  'POST /payouts': ({ affiliate, couponId }) => affiliate.post('/payouts', { json: { coupon_id: couponId } }),
  'POST /payouts with a key': ({ affiliate, couponId }) =>
    affiliate.post('/payouts', { json: { coupon_id: couponId }, headers: { 'Idempotency-Key': 'first' } }),
  'POST /payouts/{id}/status': ({ admin }) => admin.post('/payouts/1/status', { json: { status: 'paid' } }),
  'GET /coupons/{id}': ({ admin, couponId }) => admin.get(`/coupons/${couponId}`),
  'GET /affiliates/{id}': ({ admin, user }) => admin.get(`/affiliates/${user.id}`),
  'GET /me': ({ affiliate }) => affiliate.get('/me'),
} satisfies Record<string, (store: PayoutStore) => Promise<{ status: number; body: { code?: string } }>>;
type Request = keyof typeof requests;

const needed: { table: string; by: Request[]; notBy: Request[] }[] = [
  { table: 'payout_details', by: ['POST /payouts', 'GET /coupons/{id}', 'GET /affiliates/{id}'], notBy: ['POST /payouts/{id}/status'] },
  { table: 'payout_days', by: ['POST /payouts', 'POST /payouts/{id}/status'], notBy: ['GET /coupons/{id}'] },
  { table: 'idempotency_keys', by: ['POST /payouts with a key'], notBy: ['POST /payouts', 'POST /payouts/{id}/status'] },
  { table: 'ledger', by: ['POST /payouts', 'POST /payouts/{id}/status'], notBy: ['GET /coupons/{id}', 'GET /affiliates/{id}'] },
];

forEachEngine((engine) => {
  for (const { table, by, notBy } of needed)
    describe(`a service without the table ${table}`, () => {
      let store: PayoutStore;
      afterEach(() => store.service.stop());

      const begin = async (request: Request): Promise<void> => {
        store = await openPayoutStore(engine);
        if (request === 'POST /payouts/{id}/status') await requests['POST /payouts'](store);
        await (await engine.observe(store.service.databaseUrl)).query(`drop table ${table}`);
      };

      for (const request of by)
        it(`answers ${request} with 501 svc_api_unavailable`, async () => {
          await begin(request);
          const { status, body } = await requests[request](store);
          expect([status, body.code]).to.deep.equal([501, 'svc_api_unavailable']);
        });

      for (const request of [...notBy, 'GET /me'] as const)
        it(`still answers ${request}`, async () => {
          await begin(request);
          expect((await requests[request](store)).status).to.be.oneOf([200, 201]);
        });
    });
});
