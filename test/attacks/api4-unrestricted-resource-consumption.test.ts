import { expect } from 'chai';
import { operations } from '../../generated/operations.ts';
import { theContract } from '../support/contract.ts';
import { onAnyEngine } from '../support/engines.ts';
import { type AttackedStore, openAttackedStore } from './attacked-store.ts';
import { bodyOperations } from './contract-requests.ts';
import { ask, codeOf, jsonType } from './plain-http.ts';

onAnyEngine((engine) => {
  describe('API4:2023 Unrestricted Resource Consumption', () => {
    let store: AttackedStore;
    before(async () => {
      store = await openAttackedStore(engine);
    });
    after(() => store.service.stop());

    const post = (body: string) => ask(store.service, '/api/v2/keys', { method: 'POST', body, headers: { ...store.admin, ...jsonType } });

    it('oversized numbers and texts are refused, not stored', async () => {
      for (const body of [
        '{"user_id":1e999}',
        `{"user_id":${'9'.repeat(100_000)}}`,
        `{"description":"${'x'.repeat(201)}"}`,
        `{"expires":"${'9'.repeat(100_000)}"}`,
      ])
        expect((await post(body)).status, body.slice(0, 30)).to.equal(400);
    });

    it('no page has more than 100 records, in every list', async () => {
      const contract = await theContract();
      const paged = contract.operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'per_page'));
      expect(paged.length).to.be.greaterThan(7);
      for (const { path } of paged)
        for (const query of [
          'per_page=101',
          'per_page=0',
          'per_page=-1',
          'per_page=1e2',
          'per_page=99999999999999999999',
          'page=0',
          'per_page=100&per_page=1000',
        ]) {
          const target = `/api/v2${path.replace('{id}', String(store.records.coupons.victim))}?${query}`;
          expect((await ask(store.service, target, { headers: store.admin })).status, target).to.equal(400);
        }
      const far = await ask(store.service, '/api/v2/coupons?page=2147483647&per_page=100', { headers: store.admin });
      expect([far.status, far.body]).to.deep.equal([200, '[]']);
    });

    it('a very long range of days is computed in bounded space', async () => {
      const { victim } = store.records.coupons;
      for (const path of [`/coupons/${victim}/stats`, '/clicks/stats', `/affiliates/${store.records.affiliates.victim}/stats`]) {
        const { status, body } = await ask(store.service, `/api/v2${path}?from=0001-01-01&to=9999-12-31&interval=day`, {
          headers: store.admin,
        });
        expect(status, path).to.be.oneOf([200, 400]);
        expect(body.length, path).to.be.lessThan(2 ** 20);
      }
    });

    it('the rate limit is counted before a body is read, for every operation', async () => {
      const { service, users } = store;
      await service.settings.set('limits.authenticated', 1);
      try {
        for (const operationId of bodyOperations) {
          const { headers } = await service.key(users.boss, ['read', 'write', 'manage']);
          const { method, path } = operations[operationId];
          const broken = () =>
            ask(service, `/api/v2${path.replace('{id}', '1')}`, {
              method: method.toUpperCase(),
              body: '{',
              headers: { ...headers, ...jsonType },
            });
          expect([codeOf(await broken()), codeOf(await broken())], operationId).to.deep.equal([
            'rest_invalid_json',
            'svc_api_rate_limited',
          ]);
        }
      } finally {
        await service.settings.set('limits.authenticated', 1_000_000);
      }
    });
  });
});
