import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import type { Platform } from '../../connectors/index.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import type { CallResult } from '../support/contract-client.ts';
import { onAnyEngine } from '../support/engines.ts';
import { masterKey, testService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('the connections to the shop', () => {
    const settings = { 'addons.management': true, 'addons.store': true, 'service.url': 'https://api.shop.example/' };
    const { service, admin } = testService(engine, { settings });
    const secret = 'a secret of the shop';

    /** Ends the former connection. */
    const connect = (platform: Platform, given: string | null, now: number): Promise<string> =>
      service.storage.write(async (transaction) => {
        for (const { id } of await transaction.connections.all()) await transaction.connections.disconnect(id, now);
        const context = { now, random: systemRandom, secrets: createSecrets('store_secret', masterKey, systemRandom) };
        return (await connectStore(transaction, { platform, name: 'Fjell', secret: given }, context)).id;
      });

    const create = (json: unknown, client = admin): Promise<CallResult> => client.call('POST', '/store/connections', { json });
    const setSecret = (id: string, json: unknown, client = admin): Promise<CallResult> =>
      client.call('PUT', `/store/connections/${id}/secret`, { json });
    const disconnect = (id: string, client = admin): Promise<CallResult> => client.call('DELETE', `/store/connections/${id}`);
    const replace = async (platform: Platform): Promise<CallResult> => {
      const { body } = await admin.get('/store/connections');
      await disconnect(body[0].id);
      return create({ platform });
    };

    /** Whether a webhook of WooCommerce that is signed with this secret is accepted. */
    const isAccepted = async (id: string, signedWith: string): Promise<boolean> => {
      const payload = '{}';
      const signature = createHmac('sha256', signedWith).update(payload).digest('base64');
      const headers = { 'Content-Type': 'application/json', 'X-WC-Webhook-Topic': 'coupon.created', 'X-WC-Webhook-Signature': signature };
      const { status } = await fetch(`${service.origin}/connect/${id}`, { method: 'POST', body: payload, headers });
      expect(status).to.be.oneOf([200, 401, 404]);
      return status === 200;
    };

    it('are listed newest first with their address and what to enter in the shop, and never with a secret', async () => {
      const ids = [await connect('woocommerce', secret, 1), await connect('shopify', null, 2)];
      const { body, headers } = await admin.get('/store/connections');
      expect(headers.get('X-Svc-Total')).to.equal('2');
      expect(body.map(({ id, status }: { id: string; status: string }) => [id, status])).to.deep.equal([
        [ids[1], 'without_secret'],
        [ids[0], 'disconnected'],
      ]);
      expect(body[0]).to.include({ platform: 'shopify', name: 'Fjell', url: `https://api.shop.example/connect/${ids[1]}`, api_url: null });
      expect(body[0].steps.join()).to.include(body[0].url);
      expect(body[1].steps.join()).to.include('Order created');
      const stored = await service.storage.read(({ connections }) => connections.byId(ids[0] ?? ''));
      for (const hidden of [secret, stored?.encryptedSecret ?? '']) expect(JSON.stringify([body, service.log])).to.not.include(hidden);
      expect((await admin.get('/store/connections?per_page=1&page=2')).body).to.deep.equal([body[1]]);
      await connect('woocommerce', secret, 3);
      expect((await admin.get('/store/connections')).body[0].status).to.equal('active');
    });

    it('have a log of what the shop sent, newest first and paged, also after they have ended', async () => {
      const id = await connect('woocommerce', secret, 1);
      const other = await connect('woocommerce', secret, 2);
      const log = [1, 2, 3].map((orderId) => ({ connectionId: id, receivedAt: orderId * 1000, topic: 'order.created', orderId }));
      await service.storage.write(({ connections }) =>
        connections.addDeliveries(log.map((each) => ({ ...each, outcome: 'refused', reason: 'Another currency.' }))),
      );
      const { body, headers } = await admin.get(`/store/connections/${id}/deliveries?per_page=2`);
      expect([headers.get('X-Svc-Total'), headers.get('X-Svc-TotalPages')]).to.deep.equal(['3', '2']);
      expect(body.map(({ order_id }: { order_id: number }) => order_id)).to.deep.equal([3, 2]);
      const { body: last } = await admin.get(`/store/connections/${id}/deliveries?per_page=2&page=2`);
      expect(last).to.have.lengthOf(1);
      expect(last[0]).to.include({ topic: 'order.created', order_id: 1, outcome: 'refused', reason: 'Another currency.' });
      expect((await admin.get(`/store/connections/${other}/deliveries`)).body).to.deep.equal([]);
    });

    it('are made with an address, with steps for the shop, and with a secret of ours where the shop signs with it, shown once', async () => {
      const { status, body } = await create({ platform: 'woocommerce', name: 'Fjell' });
      expect(status).to.equal(201);
      expect(body).to.include({ platform: 'woocommerce', name: 'Fjell', status: 'active' });
      expect(body.url).to.equal(`https://api.shop.example/connect/${body.id}`);
      expect(body.steps.join())
        .to.include(body.url)
        .and.not.match(/affiliate|<url>|<id>/);
      expect(body.secret).to.match(/^[\w-]{43}$/);
      expect(await isAccepted(body.id, body.secret)).to.equal(true);
      const listed = await admin.get('/store/connections');
      expect(JSON.stringify([listed.body, service.log])).to.not.include(body.secret);
    });

    it('have the secret that was given, which no answer and no log line has', async () => {
      const { body } = await create({ platform: 'woocommerce', secret });
      expect([body.status, body.secret]).to.deep.equal(['active', null]);
      expect(await isAccepted(body.id, secret)).to.equal(true);
      const { body: shopify } = await replace('shopify');
      expect([shopify.status, shopify.secret]).to.deep.equal(['without_secret', null]);
      expect(shopify.steps.join())
        .to.include('Shopify then shows the key')
        .and.not.match(/affiliate|stdin/);
      const set = await setSecret(shopify.id, { secret });
      expect([set.status, set.body.status, set.body.secret]).to.deep.equal([200, 'active', null]);
      expect(JSON.stringify([body, shopify, set.body, service.log])).to.not.include(secret);
    });

    it('get a new secret of ours on request, and refuse the former; a shop with a key of its own needs that key', async () => {
      const { body: made } = await create({ platform: 'woocommerce' });
      const { body: renewed } = await setSecret(made.id, {});
      expect(renewed.secret)
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(made.secret);
      expect([await isAccepted(made.id, made.secret), await isAccepted(made.id, renewed.secret)]).to.deep.equal([false, true]);
      const { body: shopify } = await replace('shopify');
      const refused = await setSecret(shopify.id, {});
      expect([refused.status, refused.body.data.params]).to.deep.equal([
        400,
        { secret: 'Shopify signs with a key of its own. Copy it from there.' },
      ]);
    });

    it('refuse a secret that is short, long, or begins or ends with a space', async () => {
      const { body } = await create({ platform: 'shopify' });
      for (const bad of ['', ' '.repeat(20), '1234567', ' 12345678', '12345678\n', 'x'.repeat(501), null, 12_345_678])
        expect((await setSecret(body.id, { secret: bad })).status, JSON.stringify(bad)).to.equal(400);
      for (const good of ['12345678', 'x'.repeat(500)]) expect((await setSecret(body.id, { secret: good })).status).to.equal(200);
    });

    it('are one at a time: a second is refused, also when two are made at once, until the first is disconnected', async () => {
      const other = await service.clientOf(await service.user('second', 'manager'), ['manage']);
      const answers = await Promise.all([create({ platform: 'woocommerce' }), create({ platform: 'shopify' }, other)]);
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([201, 409]);
      const refused = answers.find(({ status }) => status === 409)?.body;
      const { id } = answers.find(({ status }) => status === 201)?.body ?? {};
      expect(refused.code).to.equal('svc_api_conflict');
      expect(refused.message).to.match(new RegExp(`^The store is connected already, by ${id} \\(\\w+\\)\\. Disconnect it first\\.$`));
      expect((await disconnect(id)).body).to.deep.equal({ disconnected: true });
      expect((await create({ platform: 'shopify' })).status).to.equal(201);
      expect((await admin.get('/store/connections')).headers.get('X-Svc-Total')).to.equal('2');
    });

    it('accept nothing after they are disconnected, and cannot be disconnected or changed again', async () => {
      const { body } = await create({ platform: 'woocommerce' });
      await disconnect(body.id);
      expect(await isAccepted(body.id, body.secret)).to.equal(false);
      for (const { status } of [await disconnect(body.id), await setSecret(body.id, { secret })]) expect(status).to.equal(404);
    });

    it('need the public address of this service, and a platform that is known', async () => {
      expect((await create({ platform: 'magento' })).status).to.equal(400);
      await service.settings.set('service.url', '');
      const { status, body } = await create({ platform: 'shopify' });
      expect([status, body.message]).to.deep.equal([
        409,
        'The shop needs the public address of this service. Set service.url in the settings first.',
      ]);
    });

    it('are changed by a browser session with a confirmed password only', async () => {
      const password = 'a long password of a person';
      await service.user('browser', 'administrator', { password });
      const session = await service.staleSession('browser', password);
      const browser = await service.client(session);
      const { body } = await create({ platform: 'woocommerce' });
      const attempts = () => [create({ platform: 'shopify' }, browser), setSecret(body.id, {}, browser), disconnect(body.id, browser)];
      for (const attempt of attempts()) expect((await attempt).body.code).to.equal('svc_api_confirm_password');
      await fetch(`${service.origin}/console/confirm`, { method: 'POST', headers: session, body: new URLSearchParams({ password }) });
      expect((await setSecret(body.id, {}, browser)).status).to.equal(200);
      expect((await disconnect(body.id, browser)).status).to.equal(200);
      expect((await create({ platform: 'shopify' }, browser)).status).to.equal(201);
    });

    it('are 404 where there is none with this id, and 400 for what is no id', async () => {
      expect((await admin.get(`/store/connections/${'0'.repeat(32)}/deliveries`)).body.code).to.equal('svc_api_not_found');
      expect((await admin.get('/store/connections/1/deliveries')).status).to.equal(400);
    });
  });
});
