import { expect } from 'chai';
import { createApi, isApiError } from '../../client/src/index.ts';
import { operations } from '../../generated/operations.ts';
import { onAnyEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';

onAnyEngine((engine) => {
  describe('POST /dry-run/…', () => {
    let store: PayoutStore;
    beforeEach(async () => {
      store = await openPayoutStore(engine, { settings: { 'addons.agents': true, 'addons.management': true } });
    });
    const request = () => ({ json: { coupon_id: store.couponId } });

    it('answers as the call would, and the call after it still does', async () => {
      const dry = await store.affiliate.post('/dry-run/payouts', request());
      expect([dry.status, dry.headers.get('X-Svc-Dry-Run'), dry.body.id, dry.body.amount]).to.deep.equal([201, '1', null, 100]);
      expect(await store.pools()).to.deep.equal({ unpaid: 100, pending: 0, paid: 0 });
      const { status, body } = await store.request();
      expect([status, body]).to.deep.equal([201, { ...dry.body, id: body.id }]);
      const again = await store.affiliate.post('/dry-run/payouts', request());
      expect([again.status, again.body.id]).to.deep.equal([200, body.id]);
    });

    it('keeps no response for an Idempotency-Key, and replays one of the call', async () => {
      const headers = { 'Idempotency-Key': 'once' };
      await store.affiliate.post('/dry-run/payouts', { ...request(), headers });
      const { body } = await store.request(headers);
      expect((await store.affiliate.post('/dry-run/payouts', { ...request(), headers })).body.amount).to.equal(body.amount);
    });

    it('changes no setting, also not in the memory of the process', async () => {
      const { body } = await store.admin.call('PATCH', '/dry-run/settings', { json: { 'payouts.threshold': 500 } });
      expect(body[0].value).to.equal(500);
      expect((await store.request()).status).to.equal(201);
    });

    it('does not count what it would send, and refuses what is used up', async () => {
      await store.set('service.url', 'https://program.example');
      const invite = (path: string) => store.admin.post(`${path}/affiliates/${store.user.id}/invitation`);
      for (const _ of [1, 2, 3, 4, 5]) expect((await invite('/dry-run')).status).to.equal(200);
      for (const _ of [1, 2, 3]) expect((await invite('')).status).to.equal(200);
      expect([(await invite('/dry-run')).status, (await invite('')).status]).to.deep.equal([429, 429]);
    });

    it('leaves nothing of a record to the next, if the first of a list is refused', async () => {
      await store.set('addons.store', true);
      const [{ login }] = [store.user];
      const coupons = [
        { code: 'FRESH', user: 'nobody-here' },
        { code: 'FRESH', user: login },
      ];
      const { body } = await store.admin.post('/dry-run/store/coupons', { json: coupons });
      expect(body.map(({ outcome, id }: { outcome: string; id: number | null }) => [outcome, id])).to.deep.equal([
        ['refused', null],
        ['created', null],
      ]);
    });

    it('of many at once, and beside real calls, is isolated', async () => {
      const dry = () => store.admin.post('/dry-run/adjustments', { json: { coupon_id: store.couponId, amount: 7, note: 'Try' } });
      const real = () => store.admin.post('/adjustments', { json: { coupon_id: store.couponId, amount: 1, note: 'Real' } });
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].flatMap(() => [dry(), real()]));
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(12).fill(201));
      expect((await store.pools()).unpaid).to.equal(106);
    });

    it('is absent for reads, for what cannot be tried, and while the add-on is inactive, and then writes nothing', async () => {
      for (const path of ['/dry-run/payouts', '/dry-run/me', '/dry-run', '/dry-run/dry-run/payouts'])
        expect((await store.admin.get(path)).body.code, path).to.equal('rest_no_route');
      expect((await store.admin.get('/dry-run/payouts')).headers.get('Allow')).to.equal('POST');
      expect((await store.admin.post('/dry-run/webhooks/1/test')).body.code).to.equal('rest_no_route');
      await store.set('addons.agents', false);
      expect((await store.affiliate.post('/dry-run/payouts', request())).body.code).to.equal('rest_no_route');
      expect(Object.keys((await store.admin.get('/openapi')).body.paths).filter((path) => path.includes('dry-run'))).to.deep.equal([]);
      expect((await store.pools()).unpaid).to.equal(100);
    });

    it('is in the document for every operation that declares it, with its header and a null id', async () => {
      for (const name of ['store', 'risk']) await store.set(`addons.${name}`, true);
      const { paths, components } = (await store.admin.get('/openapi')).body;
      for (const { path, method, dryRun } of Object.values(operations))
        expect(paths[`/dry-run${path}`]?.[method] !== undefined, `${method} ${path}`).to.equal(dryRun);
      const created = paths['/dry-run/keys'].post.responses['201'];
      expect(created.headers).to.have.property('X-Svc-Dry-Run');
      expect(created.content['application/json'].schema).to.deep.equal({ $ref: '#/components/schemas/KeyCreatedDryRun' });
      expect(components.schemas.KeyCreatedDryRun.properties.token).to.not.have.property('pattern');
    });

    it('is an option of the client package', async () => {
      const { token } = await store.service.key(store.user, ['read', 'write']);
      const api = createApi({ baseUrl: `${store.service.origin}/api/v2`, token });
      const payout = await api.payouts.create({ coupon_id: store.couponId }, { dryRun: true });
      expect([payout.amount, payout.id]).to.deep.equal([100, null]);
      await store.set('addons.agents', false);
      const error: unknown = await api.payouts.create({ coupon_id: store.couponId }, { dryRun: true }).catch((caught: unknown) => caught);
      expect(isApiError(error, 'rest_no_route')).to.equal(true);
    });
  });
});
