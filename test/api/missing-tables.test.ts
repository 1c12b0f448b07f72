import { expect } from 'chai';
import { mainlyOn } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';

const requests = {
  'POST /payouts': ({ request }) => request(),
  'POST /payouts with a key': ({ request }) => request({ 'Idempotency-Key': 'first' }),
  'POST /payouts/{id}/status': ({ change }) => change(1, 'paid'),
  'GET /clicks/stats': ({ admin }) => admin.get('/clicks/stats'),
  'GET /events': ({ admin }) => admin.get('/events?after=0'),
  'GET /registrations': ({ admin }) => admin.get('/registrations?search=a'),
  'GET /registrations/{id}': ({ admin }) => admin.get('/registrations/1'),
  'POST /registrations/{id}/status': ({ admin }) => admin.post('/registrations/1/status', { json: { status: 'accepted' } }),
  'GET /coupons/{id}': ({ admin, couponId }) => admin.get(`/coupons/${couponId}`),
  'GET /affiliates/{id}': ({ admin, user }) => admin.get(`/affiliates/${user.id}`),
  'GET /me': ({ affiliate }) => affiliate.get('/me'),
} satisfies Record<string, (store: PayoutStore) => Promise<{ status: number; body: { code?: string } }>>;
type Request = keyof typeof requests;

const ofRegistrations = ['GET /registrations', 'GET /registrations/{id}', 'POST /registrations/{id}/status'] as const;
const needed: { table: string; by: readonly Request[]; notBy: readonly Request[] }[] = [
  { table: 'payout_details', by: ['POST /payouts', 'GET /coupons/{id}', 'GET /affiliates/{id}'], notBy: ['POST /payouts/{id}/status'] },
  { table: 'payout_days', by: ['POST /payouts', 'POST /payouts/{id}/status'], notBy: ['GET /coupons/{id}'] },
  { table: 'idempotency_keys', by: ['POST /payouts with a key'], notBy: ['POST /payouts', 'POST /payouts/{id}/status'] },
  { table: 'ledger', by: ['POST /payouts', 'POST /payouts/{id}/status'], notBy: ['GET /coupons/{id}', 'GET /affiliates/{id}'] },
  { table: 'clicks', by: ['GET /clicks/stats'], notBy: [] },
  { table: 'events', by: ['GET /events'], notBy: [] },
  { table: 'registrations', by: ofRegistrations, notBy: [] },
];

mainlyOn('sqlite', (engine) => {
  for (const { table, by, notBy } of needed)
    describe(`a service without the table ${table}`, () => {
      const ask = async (request: Request) => {
        const store = await openPayoutStore(engine);
        if (request === 'POST /payouts/{id}/status') await store.request();
        await (await engine.observe(store.service.databaseUrl)).query(`drop table ${table}`);
        return requests[request](store);
      };

      for (const request of by)
        it(`answers ${request} with 501 svc_api_unavailable`, async () => {
          const { status, body } = await ask(request);
          expect([status, body.code]).to.deep.equal([501, 'svc_api_unavailable']);
        });

      for (const request of [...notBy, 'GET /me'] as const)
        it(`still answers ${request}`, async () => {
          expect((await ask(request)).status).to.be.oneOf([200, 201]);
        });
    });
});
