import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { suiteService } from '../support/service.ts';
import { subscribed } from '../support/webhooks.ts';

const url = 'https://books.fjell.example/hooks/affiliates';

onAnyEngine((engine) => {
  describe('webhooks', () => {
    const { service, admin, administrator, clock } = suiteService(engine);
    afterEach(async () => {
      const { body } = await admin.get('/webhooks?per_page=100');
      for (const { id } of body) await admin.call('DELETE', `/webhooks/${id}`);
    });

    const create = (json: unknown) => admin.post('/webhooks', { json });
    const patch = (id: number, json: unknown) => admin.call('PATCH', `/webhooks/${id}`, { json });
    const feed = async (kind: string) => (await admin.get(`/events?event=${kind}`)).body[0];

    it('are created active, with a secret that is shown once and stored encrypted', async () => {
      const { status, body } = await create({ name: 'Bookkeeping', url, events: ['payout.requested', 'payout.paid'] });
      const { secret, id, ...webhook } = body;
      expect(status).to.equal(201);
      expect(webhook).to.deep.equal({
        name: 'Bookkeeping',
        url,
        events: ['payout.requested', 'payout.paid'],
        status: 'active',
        failures: 0,
        last_delivery: null,
        last_error: '',
        date_created: '2026-11-02T07:00:00',
      });
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).to.have.lengthOf(32);
      expect((await admin.get('/webhooks')).body).to.deep.equal([{ id, ...webhook }]);
      expect((await patch(id, { status: 'active' })).body).to.deep.equal({ id, ...webhook });
      const { query } = await engine.observe(service.databaseUrl);
      const everywhere = JSON.stringify([await query('select * from webhooks'), await query('select * from events'), service.log]);
      expect(everywhere).not.to.include(secret);
      expect(everywhere).not.to.include(secret.slice('whsec_'.length));
      expect(await feed('webhook_created')).to.include({ event_id: id, object_type: 'webhook', user_id: administrator.id, type: null });
    });

    it('never get the id of a deleted one, also of the newest', async () => {
      const { id } = (await create({ url, events: ['*'] })).body;
      await admin.call('DELETE', `/webhooks/${id}`);
      expect((await create({ url, events: ['*'] })).body.id).to.be.greaterThan(id);
    });

    it('drop events that are not in the catalog, and list the others in its order, each once', async () => {
      const { body } = await create({ url, events: ['payout.paid', 'nonsense', 'referral.created', 'ping', 'payout.paid'] });
      expect(body.events).to.deep.equal(['payout.paid', 'referral.created']);
      expect((await create({ url, events: ['payout.paid', '*'] })).body.events).to.deep.equal(['*']);
      const many = [...Array.from({ length: 150 }, (_, number) => `unknown.${number}`), 'x'.repeat(500), 'payout.paid'];
      expect((await create({ url, events: many })).body.events).to.deep.equal(['payout.paid']);
      expect((await patch(body.id, { events: many })).body.events).to.deep.equal(['payout.paid']);
      for (const events of [[], ['nonsense'], ['ping']]) {
        expect((await create({ url, events })).body.code).to.equal('svc_api_no_events');
        expect((await patch(body.id, { events })).body.code).to.equal('svc_api_no_events');
      }
    });

    it('accept a form as well as JSON', async () => {
      const { status, body } = await admin.post('/webhooks', { form: `url=${encodeURIComponent(url)}&events[]=payout.paid&name=form` });
      expect([status, body.name, body.events]).to.deep.equal([201, 'form', ['payout.paid']]);
    });

    it('are refused with what is wrong with each field', async () => {
      const refused = async (json: unknown) => {
        const { status, body } = await create(json);
        return [status, body.code, ...Object.keys(body.data.params ?? {})];
      };
      const events = ['*'];
      expect(await refused({ events })).to.deep.equal([400, 'rest_invalid_param', 'url']);
      expect(await refused({ url })).to.deep.equal([400, 'rest_invalid_param', 'events']);
      expect(await refused({ url, events: 'payout.paid' })).to.deep.equal([400, 'rest_invalid_param', 'events']);
      expect(await refused({ url, events, name: 'x'.repeat(101) })).to.deep.equal([400, 'rest_invalid_param', 'name']);
      expect(await refused({ url: `https://e.example/${'x'.repeat(2000)}`, events })).to.deep.equal([400, 'rest_invalid_param', 'url']);
      for (const bad of [
        'not a url',
        'ftp://e.example/',
        'https://user:pass@e.example/',
        'https://10.0.0.1/',
        'https://[::ffff:10.0.0.1]/',
      ])
        expect(await refused({ url: bad, events }), bad).to.deep.equal([400, 'svc_api_invalid_url']);
      expect((await admin.get('/webhooks')).headers.get('X-Svc-Total')).to.equal('0');
    });

    it('have their URL normalised to the form that is requested', async () => {
      const spellings = {
        '  https://Books.Example:443/a b?q=ü#part  ': 'https://books.example/a%20b?q=%C3%BC',
        'https:1.1.1.1': 'https://1.1.1.1/',
        'https://\u{ff11}.1.1.1/': 'https://1.1.1.1/',
        'https:\\\\books.example\\x': 'https://books.example/x',
        'https://books.example/@me:x@y': 'https://books.example/@me:x@y',
      };
      for (const [given, kept] of Object.entries(spellings)) {
        const { id, body } = await create({ url: given, events: ['*'] }).then((reply) => ({ id: reply.body.id, body: reply.body }));
        expect(body.url, given).to.equal(kept);
        expect((await patch(id, { status: 'active' })).body.url).to.equal(kept);
      }
    });

    it('have their events replaced entirely, and nothing else', async () => {
      const made = await subscribed(admin, url, ['payout.paid']);
      const { body } = await patch(made.id, {
        events: ['referral.created'],
        url: 'https://other.example/',
        secret: 'whsec_other',
        name: 'x',
      });
      expect(body).to.deep.include({ events: ['referral.created'], url, name: '', status: 'active' });
      expect(body).not.to.have.property('secret');
    });

    it('are not changed by an empty request', async () => {
      const { id } = await subscribed(admin, url);
      for (const json of [{}, { url: 'https://other.example/' }]) expect((await patch(id, json)).body.code).to.equal('svc_api_no_fields');
      const { status, body } = await admin.call('PATCH', `/webhooks/${id}`);
      expect([status, body.code]).to.deep.equal([400, 'svc_api_no_fields']);
      expect((await patch(id, { status: 'paused' })).body.code).to.equal('rest_invalid_param');
    });

    it('reset failures and last error when they are activated again', async () => {
      const { id } = await subscribed(admin, url);
      const error = { lastDeliveryAt: clock.now(), lastError: 'The receiver answered 500.' };
      const health = { failures: 1, failingSince: clock.now(), nextProbeAt: null, ...error };
      await service.storage.write(({ webhooks }) => webhooks.setHealth(id, health));
      const failing = { failures: 1, last_error: 'The receiver answered 500.', last_delivery: '2026-11-02T07:00:00' };
      expect((await patch(id, { status: 'active' })).body).to.include(failing);
      expect((await patch(id, { status: 'disabled' })).body).to.include({ ...failing, status: 'disabled' });
      expect(await feed('webhook_disabled')).to.include({ event_id: id, user_id: administrator.id });
      expect((await patch(id, { status: 'active' })).body).to.include({ ...failing, status: 'active', failures: 0, last_error: '' });
    });

    it('are listed newest first, in pages, with totals', async () => {
      for (const name of ['a', 'b', 'c']) await create({ name, url, events: ['*'] });
      const page = await admin.get('/webhooks?per_page=2');
      expect(page.body.map(({ name }: { name: string }) => name)).to.deep.equal(['c', 'b']);
      expect([page.headers.get('X-Svc-Total'), page.headers.get('X-Svc-TotalPages')]).to.deep.equal(['3', '2']);
      expect((await admin.get('/webhooks?page=9')).body).to.deep.equal([]);
    });

    it('answer 404 when they were deleted or never existed', async () => {
      const { id } = await subscribed(admin, url);
      expect((await admin.call('DELETE', `/webhooks/${id}`)).body).to.deep.equal({ deleted: true });
      for (const gone of [id, 999_999, Number.MAX_SAFE_INTEGER]) {
        expect((await admin.call('DELETE', `/webhooks/${gone}`)).body.code).to.equal('svc_api_not_found');
        expect((await patch(gone, { status: 'active' })).body.code).to.equal('svc_api_not_found');
        expect((await admin.post(`/webhooks/${gone}/test`)).body.code).to.equal('svc_api_not_found');
      }
    });
  });
});
