import { expect } from 'chai';
import type { ContractClient } from '../support/contract-client.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { startService, testService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('keys', () => {
    const { service, admin, administrator, clock } = testService(engine);
    const manager = testFixture(() => service.user('manager', 'manager'));
    const affiliate = testFixture(() => service.user('affiliate', 'affiliate'));

    const create = (json: unknown, by: ContractClient = admin) => by.post('/keys', { json });
    const me = async (token: string) => (await service.client({ Authorization: `Bearer ${token}` })).get('/me');

    it('are created for the caller and read-only by default', async () => {
      const { status, body } = await admin.post('/keys');
      expect(status).to.equal(201);
      expect(body).to.include({
        user_id: administrator.id,
        description: '',
        status: 'active',
        last_used: null,
        date_expires: null,
        created_by: administrator.id,
      });
      expect(body.scopes).to.deep.equal(['read']);
      expect(body.token).to.match(/^svc_[0-9a-f]{40}$/);
      expect(body.key_prefix).to.equal(body.token.slice(0, 12));
      expect((await me(body.token)).body).to.deep.include({ auth: { method: 'api_key', key_id: body.id, scopes: ['read'] } });
    });

    it('show their token once, and never again', async () => {
      const { body } = await create({ description: 'shown once' });
      const { body: listed } = await admin.get('/keys');
      expect(JSON.stringify(listed)).not.to.include(body.token);
      expect(service.log.join('')).not.to.include(body.token);
    });

    it('list their scopes in one order, each once, however they were sent', async () => {
      const { body } = await create({ scopes: ['manage', 'read', 'manage'] });
      expect(body.scopes).to.deep.equal(['read', 'manage']);
    });

    it('are created from a form as well as from JSON, with both notations of a list', async () => {
      for (const form of ['scopes[]=read&scopes[]=write&description=form', 'scopes=read&scopes=write&description=form']) {
        const { status, body } = await admin.post('/keys', { form });
        expect([status, body.scopes, body.description]).to.deep.equal([201, ['read', 'write'], 'form']);
      }
    });

    it('are not created for users whom the creator may not edit', async () => {
      const byManager = await service.clientOf(manager);
      expect((await create({ user_id: affiliate.id }, byManager)).status).to.equal(201);
      const refused = await create({ user_id: administrator.id }, byManager);
      expect([refused.status, refused.body.code]).to.deep.equal([403, 'svc_api_cannot_create_for_user']);
    });

    it('never get a scope that their creator lacks', async () => {
      const { headers } = await service.key(administrator, ['manage']);
      const refused = await create({ scopes: ['read'] }, await service.client(headers));
      expect([refused.status, refused.body.code]).to.deep.equal([403, 'svc_api_insufficient_scope']);
      expect((await create({ scopes: ['manage'] }, await service.client(headers))).status).to.equal(201);
    });

    it("work until the last second of their day in the store's time zone", async () => {
      await service.settings.set('store.timezone', 'Europe/Berlin');
      const { body } = await create({ expires: '2026-11-02' });
      expect(body.date_expires).to.equal('2026-11-02T23:59:59');
      clock.advance((Date.parse('2026-11-02T22:59:59Z') - clock.now()) / 1000);
      expect((await me(body.token)).status).to.equal(200);
      clock.advance(1);
      expect((await me(body.token)).body.code).to.equal('svc_api_invalid_key');
      const listed = async (status: string) => (await admin.get(`/keys?status=${status}`)).body.map(({ id }: { id: number }) => id);
      expect(await listed('expired')).to.deep.equal([body.id]);
      await admin.call('DELETE', `/keys/${body.id}`);
      expect([await listed('expired'), await listed('revoked')]).to.deep.equal([[], [body.id]]);
      expect((await admin.get('/keys')).body[0].status, 'also expired').to.equal('revoked');
    });

    it('are refused with what is wrong with each field, and none is created', async () => {
      const cases: [unknown, string][] = [
        [{ expires: '2026-02-30' }, 'expires'],
        [{ expires: '2026-11-01' }, 'expires'],
        [{ expires: '02.11.2026' }, 'expires'],
        [{ scopes: ['everything'] }, 'scopes'],
        [{ scopes: [] }, 'scopes'],
        [{ scopes: 'read' }, 'scopes'],
        [{ user_id: 999_999 }, 'user_id'],
        [{ user_id: 1e20 }, 'user_id'],
        [{ user_id: '1' }, 'user_id'],
        [{ description: 'x'.repeat(201) }, 'description'],
      ];
      for (const [json, field] of cases) {
        const { status, body } = await create(json);
        expect([status, body.code], JSON.stringify(json)).to.deep.equal([400, 'rest_invalid_param']);
        expect(body.data.params).to.have.all.keys(field);
      }
      expect((await admin.get('/keys')).headers.get('X-Svc-Total')).to.equal('0');
    });

    it('are listed newest first, in pages, with totals, by user and by status', async () => {
      for (let made = 0; made < 5; made += 1) await create({ user_id: affiliate.id, description: `key ${made}` });
      await create({ description: 'own' });
      const page = await admin.get('/keys?per_page=2&page=2');
      expect(page.body.map(({ description }: { description: string }) => description)).to.deep.equal(['key 3', 'key 2']);
      expect([page.headers.get('X-Svc-Total'), page.headers.get('X-Svc-TotalPages')]).to.deep.equal(['6', '3']);
      expect((await admin.get(`/keys?user_id=${affiliate.id}`)).headers.get('X-Svc-Total')).to.equal('5');
      const past = await admin.get('/keys?page=2147483647');
      expect([past.body, past.headers.get('X-Svc-Total')]).to.deep.equal([[], '6']);
    });

    it('stop working at once when revoked, also in another process, and stay revoked when revoked again', async () => {
      const { body } = await create({});
      const other = await startService(engine, { databaseUrl: service.databaseUrl, clock });
      const elsewhere = await other.client({ Authorization: `Bearer ${body.token}` });
      expect((await elsewhere.get('/me')).status).to.equal(200);
      for (let time = 0; time < 2; time += 1) {
        expect((await admin.call('DELETE', `/keys/${body.id}`)).body).to.deep.equal({ revoked: true });
        clock.advance(60);
      }
      for (const { body: refused } of [await me(body.token), await elsewhere.get('/me')])
        expect(refused.code).to.equal('svc_api_invalid_key');
      const { body: revoked } = await admin.get('/keys?status=revoked');
      expect(revoked[0]).to.include({ id: body.id, status: 'revoked', date_revoked: '2026-11-02T07:00:00' });
    });

    it('of an administrator are not revoked by a manager; unknown ones are not found', async () => {
      const { id } = await service.key(administrator, ['read']);
      const byManager = await service.clientOf(manager);
      expect((await byManager.call('DELETE', `/keys/${id}`)).body.code).to.equal('svc_api_cannot_manage_key');
      expect((await admin.call('DELETE', '/keys/999999')).body.code).to.equal('svc_api_not_found');
    });

    it('whose user was deleted are rejected, and can still be revoked', async () => {
      const { id, token } = await service.key(affiliate, ['read']);
      const { query } = await engine.observe(service.databaseUrl);
      await query(`delete from users where id = ${affiliate.id}`);
      const { status, body } = await me(token);
      expect([status, body.code]).to.deep.equal([401, 'svc_api_invalid_key_user']);
      const byManager = await service.clientOf(manager);
      expect((await byManager.call('DELETE', `/keys/${id}`)).status).to.equal(200);
      expect((await me(token)).body.code).to.equal('svc_api_invalid_key');
    });

    it('are recorded in the change feed when created and when revoked, once each', async () => {
      const { body } = await create({ user_id: affiliate.id });
      for (let time = 0; time < 3; time += 1) await admin.call('DELETE', `/keys/${body.id}`);
      const { query } = await engine.observe(service.databaseUrl);
      const events = await query<Record<string, unknown>>('select kind, object_type, object_id, user_id from events order by id');
      const byAdministrator = (kind: string) => `${kind} api_key ${body.id} ${administrator.id}`;
      expect(events.map(({ kind, object_type, object_id, user_id }) => `${kind} ${object_type} ${object_id} ${user_id}`)).to.deep.equal(
        ['api_key_created', 'api_key_revoked'].map(byAdministrator),
      );
    });

    it('show when they were last used, to five minutes', async () => {
      const { body } = await create({});
      const lastUsed = async () => (await admin.get('/keys')).body[0].last_used;
      await me(body.token);
      expect(await lastUsed()).to.equal('2026-11-02T07:00:00');
      clock.advance(299);
      await me(body.token);
      expect(await lastUsed()).to.equal('2026-11-02T07:00:00');
      clock.advance(2);
      await me(body.token);
      expect(await lastUsed()).to.equal('2026-11-02T07:05:01');
    });
  });
});
