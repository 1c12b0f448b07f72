import { ApiError, createApi, isApiError, type paths } from 'affiliate-program-client';
import { expect } from 'chai';
import createClient from 'openapi-fetch';
import { routes } from '../../generated/client.ts';
import { operations } from '../../generated/operations.ts';
import { onAnyEngine } from '../support/engines.ts';
import { exampleOrders, orders } from '../support/program.ts';
import { receiver } from '../support/webhooks.ts';
import { type ClientFixture, rejectionOf, startClientFixture } from './fixture.ts';

describe('createApi()', () => {
  it('has a call for every operation of the contract, and no other', async () => {
    const requested: string[] = [];
    const fetch = async ({ method, url }: Request): Promise<Response> => {
      requested.push(
        `${method} ${new URL(url).pathname.replace('/17', '/{id}').replace('/18', '/{order_id}').replace('/dlv_19', '/{delivery}')}`,
      );
      return Response.json({});
    };
    const api = createApi({ baseUrl: 'http://127.0.0.1/api/v2', fetch });
    const secondIds: Record<string, unknown> = { explanation: 18, replay: 'dlv_19' };
    for (const [resource, calls] of Object.entries(routes))
      for (const name of Object.keys(calls)) {
        const call = (api as unknown as Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>)[resource]?.[name];
        await call?.(17, secondIds[name] ?? {});
      }
    // The stream is no call: follow() reads it.
    const called = Object.entries(operations).filter(([operationId]) => operationId !== 'get_events_stream');
    const declared = called.map(([, { method, path }]) => `${method.toUpperCase()} /api/v2${path}`);
    expect(requested.sort()).to.deep.equal(declared.sort());
  });

  it('throws without a base URL outside of a browser', () => {
    expect(() => createApi()).to.throw(TypeError, 'baseUrl is "/api/v2". It must be an address such as https://');
  });
});

onAnyEngine((engine) => {
  describe('the client with a running service', () => {
    let fixture: ClientFixture;
    before(async () => {
      fixture = await startClientFixture(engine);
      await orders(fixture.service, exampleOrders(fixture.couponId));
    });
    after(() => fixture.service.stop());

    it('reads records, statistics and collections with their totals', async () => {
      const { admin, couponId, user } = fixture;
      const { items, total, totalPages } = await admin.coupons.list({ search: 'trail', per_page: 1 });
      expect([items[0]?.id, total, totalPages]).to.deep.equal([couponId, 1, 1]);
      expect((await admin.coupons.get(couponId)).user?.id).to.equal(user.id);
      expect((await admin.coupons.stats(couponId, { from: '2026-10-01', to: '2026-10-31', interval: 'month' })).series).to.have.length(1);
      expect((await admin.coupons.orders(couponId, { status: 'completed' })).total).to.equal(2);
      expect((await admin.affiliates.get(user.id)).id).to.equal(user.id);
      expect((await admin.affiliates.stats(user.id)).totals.orders_count).to.equal(3);
      expect((await admin.clicks.stats({ coupon_id: couponId })).clicks).to.equal(0);
      expect((await admin.reports.summary({ top: 1 })).top_affiliates).to.have.length(1);
      expect((await admin.registrations.list({ status: 'pending' })).items).to.deep.equal([]);
      expect((await admin.openapi.get())['openapi']).to.equal('3.1.0');
    });

    it('records orders of the store, and returns an outcome for each in a plain list', async () => {
      const { admin, couponId, service } = fixture;
      await service.settings.set('addons.store', true);
      await service.settings.set('addons.insights', true);
      const order = { order_id: 990_001, date: '2026-10-21T09:12:00', status: 'processing', total: 100, coupon_id: couponId } as const;
      const outcomes = await admin.store.orders([order, { ...order, order_id: 990_002, date: 'yesterday' }]);
      expect(outcomes.map(({ outcome, id }) => [outcome, id])).to.deep.equal([
        ['created', 990_001],
        ['refused', null],
      ]);
      expect(outcomes[1]?.reason).to.include('date');
      expect((await admin.coupons.explanation(couponId, 990_001)).agrees).to.equal(true);
      expect(
        await admin.store.clicks([]).then(
          () => '',
          ({ code }: ApiError) => code,
        ),
      ).to.equal('rest_invalid_param');
    });

    it('sends several event kinds in one parameter', async () => {
      const { items } = await fixture.admin.events.list({ after: 0, event: ['referral', 'affiliate_created'], per_page: 100 });
      expect(new Set(items.map(({ event }) => event))).to.deep.equal(new Set(['referral', 'affiliate_created']));
    });

    it('requests a payout with an idempotency key, and gets 201 for a new request and 200 for the open one', async () => {
      const { admin, affiliate, couponId } = fixture;
      const codes: number[] = [];
      const onResponse = ({ status }: Response): void => void codes.push(status);
      const first = await affiliate.payouts.create({ coupon_id: couponId }, { onResponse });
      const again = await affiliate.payouts.create({ coupon_id: couponId }, { onResponse });
      expect([again.id, codes]).to.deep.equal([first.id, [201, 200]]);
      expect((await admin.payouts.setStatus(first.id, { status: 'paid' })).status).to.equal('paid');
      expect((await affiliate.payouts.get(first.id)).date_paid).to.be.a('string');
      expect((await affiliate.payouts.list({ status: 'paid' })).total).to.equal(1);
    });

    it('creates, updates, tests and deletes a webhook, and creates and revokes a key', async () => {
      const { admin } = fixture;
      const listener = await receiver();
      const webhook = await admin.webhooks.create({ url: listener.url, events: ['payout.paid'] });
      expect((await admin.webhooks.update(webhook.id, { status: 'disabled' })).status).to.equal('disabled');
      expect(await admin.webhooks.test(webhook.id)).to.deep.equal({ code: 204 });
      expect((await admin.webhooks.events({ per_page: 100 })).items.map(({ event }) => event)).to.include('payout.paid');
      expect(await admin.webhooks.delete(webhook.id)).to.deep.equal({ deleted: true });
      await listener.close();
      const key = await admin.keys.create();
      expect(key.scopes).to.deep.equal(['read']);
      expect(await admin.keys.delete(key.id)).to.deep.equal({ revoked: true });
    });

    it('throws an ApiError with the code, the invalid parameters and the request id', async () => {
      const { affiliate, couponId } = fixture;
      const missing = await rejectionOf(affiliate.payouts.get(999_999));
      expect(isApiError(missing, 'svc_api_not_found')).to.equal(true);
      expect(isApiError(missing, 'svc_api_conflict', 'rest_no_route')).to.equal(false);
      expect(missing).to.be.instanceOf(ApiError).and.include({ status: 404, name: 'ApiError' });
      const wrong = await rejectionOf(affiliate.coupons.orders(couponId, { per_page: 1000 }));
      if (!isApiError(wrong, 'rest_invalid_param')) throw wrong;
      expect(wrong.data.params).to.have.property('per_page');
      expect(wrong.requestId).to.match(/\S/);
    });

    it('authenticates with a token, with an application password beyond ASCII, or with a session', async () => {
      const { service, baseUrl } = fixture;
      const person = await service.user('zoë', 'administrator', { password: 'long enough to be one' });
      const { Authorization } = await service.appPassword(person);
      const [login = '', password = ''] = Buffer.from(Authorization?.slice('Basic '.length) ?? '', 'base64')
        .toString()
        .split(':');
      const basic = createApi({ baseUrl, basic: { login, password } });
      expect((await basic.me.get()).auth.method).to.equal('basic');

      const cookies = await service.signIn('zoë', 'long enough to be one');
      const asBrowser = (request: Request): Promise<Response> => {
        expect(request.credentials).to.equal('include');
        const headers = new Headers(request.headers);
        headers.set('Cookie', `svc_session=${cookies['svc_session']}`);
        return fetch(new Request(request, { headers }));
      };
      const session = createApi({ baseUrl, session: { csrf: () => cookies['svc_csrf'] }, fetch: asBrowser });
      expect((await session.me.get()).auth.method).to.equal('session');
      expect(await session.keys.create({ description: 'from the page' })).to.have.property('token');
      const withoutToken = createApi({ baseUrl, session: { csrf: () => undefined }, fetch: asBrowser });
      expect(isApiError(await rejectionOf(withoutToken.keys.create()), 'svc_api_csrf_failed')).to.equal(true);
    });

    it('provides its fetch to openapi-fetch for calls by path', async () => {
      const { baseUrl, fetch } = fixture.admin;
      const { data, response } = await createClient<paths>({ baseUrl, fetch }).GET('/coupons/{id}', {
        params: { path: { id: fixture.couponId } },
      });
      expect([data?.code, response.status]).to.deep.equal(['TRAIL10', 200]);
    });
  });
});
