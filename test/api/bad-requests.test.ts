import { expect } from 'chai';
import { say } from '../attacks/plain-http.ts';
import { onAnyEngine } from '../support/engines.ts';
import { startService, suiteService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('an invalid request', () => {
    const { service, admin } = suiteService(engine);

    const json = (raw: string | Buffer) => ({ raw, headers: { 'Content-Type': 'application/json' } });
    const latin1 = Buffer.from('{"scopes":["read"],"description":"Grüße"}', 'latin1');
    type Case = [what: string, call: () => Promise<{ status: number; body: { code: string } }>, status: number, code: string];
    const cases: Case[] = [
      ['malformed JSON', () => admin.post('/keys', json('{"scopes":')), 400, 'rest_invalid_json'],
      ['JSON that is not UTF-8', () => admin.post('/keys', json(latin1)), 400, 'rest_invalid_json'],
      ['JSON that is no object', () => admin.post('/keys', json('[1]')), 400, 'rest_invalid_param'],
      ['a body over one mebibyte', () => admin.post('/keys', json(`{"x":"${'a'.repeat(2 ** 20)}"}`)), 413, 'rest_body_too_large'],
      [
        'another media type',
        () => admin.post('/keys', { raw: '<a/>', headers: { 'Content-Type': 'text/xml' } }),
        415,
        'rest_unsupported_media_type',
      ],
      ['an unknown path', () => admin.get('/orders'), 404, 'rest_no_route'],
      ['another method', () => admin.call('PUT', '/keys'), 404, 'rest_no_route'],
      ['broken percent-encoding', () => admin.call('DELETE', '/keys/%E0%A4%A'), 404, 'rest_no_route'],
      ['a duplicated parameter', () => admin.get('/keys?page=1&page=2'), 400, 'rest_invalid_param'],
      ['a nested parameter', () => admin.get('/keys?page[a]=1&page[]=2'), 400, 'rest_invalid_param'],
      ['a NUL in a field', () => admin.post('/keys', { json: { description: 'a\u0000b' } }), 400, 'rest_invalid_param'],
      ['a NUL in the query', () => admin.get('/coupons?search=a%00b'), 400, 'rest_invalid_param'],
      ['half a character', () => admin.post('/keys', json('{"description":"\\ud800"}')), 400, 'rest_invalid_param'],
      ...['1e3', '0x10', '100000000000000000000', '-1', '0', '1.0', '%201', 'one', ''].map(
        (id): Case => [
          `an absurd id: "${id}"`,
          () => admin.call('DELETE', `/keys/${id}`),
          id === '' ? 404 : 400,
          id === '' ? 'rest_no_route' : 'rest_invalid_param',
        ],
      ),
      ...['0', '101', '1e1', 'many', '10.5'].map(
        (size): Case => [`an absurd page size: "${size}"`, () => admin.get(`/keys?per_page=${size}`), 400, 'rest_invalid_param'],
      ),
    ];
    for (const [what, call, status, code] of cases)
      it(`is answered with a code and a sentence: ${what}`, async () => {
        const reply = await call();
        expect([reply.status, reply.body.code]).to.deep.equal([status, code]);
      });

    it('with parameters that the operation does not have is answered, and names them in X-Svc-Ignored', async () => {
      const ignored = async (path: string) => (await admin.get(path)).headers.get('X-Svc-Ignored');
      expect(await ignored('/coupons?per_pages=3&page=1&status=publish&%C3%BC[]=1')).to.equal('per_pages, %C3%BC');
      expect(await ignored('/coupons?page=1')).to.equal(null);
      expect(await ignored('/openapi?verbose')).to.equal('verbose');
      // The second response is a cached one.
      for (const time of ['first', 'second']) expect(await ignored('/reports/summary?form=2026-10-01'), time).to.equal('form');
    });

    it('without the role or the scope is refused with a sentence that names what is missing', async () => {
      const seller = await service.user('seller', 'affiliate');
      const message = async (headers: Record<string, string>, path: string) =>
        (await (await service.client(headers)).get(path)).body.message;
      expect(await message(await service.appPassword(seller), '/reports/summary')).to.equal(
        'This needs the role administrator or manager. Your role is affiliate.',
      );
      const { headers } = await service.key(seller, ['write']);
      expect(await message(headers, '/payouts')).to.equal('This API key lacks the scope read. It has: write.');
    });

    it('with a wrong method gets an Allow header with the methods of the path', async () => {
      expect((await admin.call('PUT', '/keys')).headers.get('Allow')).to.equal('GET, HEAD, POST');
    });

    it('is not caused by unknown parameters and fields, which are ignored', async () => {
      expect((await admin.get('/keys?colour=blue')).status).to.equal(200);
      expect((await admin.post('/keys', { json: { colour: 'blue', __proto__: null } })).status).to.equal(201);
    });

    it('is not caused by null in an optional field, which counts as left out, but by null in a required one', async () => {
      const json = { user_id: null, description: null, scopes: null, expires: null };
      const { status, body } = await admin.post('/keys', { json });
      expect([status, body.description, body.scopes, body.date_expires]).to.deep.equal([201, '', ['read'], null]);
      const { body: refused } = await admin.post('/payouts', { json: { coupon_id: null } });
      expect(refused.data.params).to.deep.equal({ coupon_id: 'coupon_id must be an integer.' });
    });

    it('is not caused by empty query parameters, which count as left out, but by an empty from or to', async () => {
      const { body: whole, headers } = await admin.get('/coupons');
      const empty = await admin.get('/coupons?page=&per_page=&search=&status=&user_id=&orderby=&order=');
      expect([empty.status, empty.body, empty.headers.get('X-Svc-Total')]).to.deep.equal([200, whole, headers.get('X-Svc-Total')]);
      for (const path of ['/payouts?from=', '/clicks/stats?to=', '/reports/summary?from=2026-10-01&to=', '/coupons?search=&search='])
        expect((await admin.get(path)).status, path).to.equal(400);
    });

    it('is not caused by HEAD, which is answered as GET without a body', async () => {
      const { status, body, headers } = await admin.call('HEAD', '/keys');
      expect([status, body]).to.deep.equal([200, undefined]);
      expect(headers.get('X-Svc-Total')).to.match(/^\d+$/);
    });

    it('outside of the API is answered in JSON too, and keys are rejected there', async () => {
      const missing = await fetch(`${service.origin}/nowhere`);
      expect([missing.status, ((await missing.json()) as { code: string }).code]).to.deep.equal([404, 'rest_no_route']);
      const withKey = await fetch(`${service.origin}/healthz`, { headers: { 'X-Svc-API-Key': 'svc_any' } });
      expect([withKey.status, ((await withKey.json()) as { code: string }).code]).to.deep.equal([403, 'svc_api_key_wrong_namespace']);
    });

    it('with a harmful X-Request-Id gets a new one, and a harmless one is sent back', async () => {
      const id = async (sent: string) => (await admin.get('/me', { headers: { 'X-Request-Id': sent } })).headers.get('X-Request-Id');
      expect(await id('order-58213')).to.equal('order-58213');
      expect(await id('"}{"level":60')).to.match(/^[0-9a-f-]{36}$/);
    });

    it('that is not HTTP is answered in JSON as well', async () => {
      expect(await say(service, 'GET /api/v2/me HTTP/1.1\r\nHo st: x\r\n\r\n'))
        .to.match(/^HTTP\/1\.1 400 /)
        .and.include('"code":"rest_invalid_param"');
    });

    it('(or a valid one) during a failure of the database gets a response without SQL, driver or stack', async () => {
      const broken = await startService(engine);
      const client = await broken.clientOf(await broken.user('boss', 'administrator'), ['manage']);
      const { query } = await engine.observe(broken.databaseUrl);
      await query('alter table api_keys rename column description to gone');
      const { status, body } = await client.get('/me');
      expect([status, body.code]).to.deep.equal([500, 'svc_api_db_error']);
      expect(JSON.stringify(body)).not.to.match(/api_keys|select|sqlite|at /i);
      expect(broken.log.join('')).to.include('a request failed');
    });
  });

  describe('the order of the errors', () => {
    const { service } = suiteService(engine);

    const code = async (headers: Record<string, string>, path: string) => (await (await service.client(headers)).get(path)).body.code;

    it('is: not served, not identified, scope, role, parameters', async () => {
      const wrong = { Authorization: 'Bearer svc_wrong' };
      const customer = await service.user('customer', 'customer');
      const reading = (await service.key(customer, ['read'])).headers;
      const managing = (await service.key(customer, ['manage'])).headers;
      const boss = (await service.key(await service.user('boss', 'administrator'), ['manage'])).headers;
      await service.settings.set('switches.get_webhooks', false);
      expect(await code(wrong, '/webhooks?page=0')).to.equal('rest_no_route');
      expect(await code(wrong, '/keys?page=0')).to.equal('svc_api_invalid_key');
      expect(await code({}, '/keys?page=0')).to.equal('svc_api_unauthorized');
      expect(await code(reading, '/keys?page=0')).to.equal('svc_api_insufficient_scope');
      expect(await code(managing, '/keys?page=0')).to.equal('svc_api_forbidden');
      expect(await code(boss, '/keys?page=0')).to.equal('rest_invalid_param');
    });
  });

  describe('pages of other origins', () => {
    const { service } = suiteService(engine, { settings: { 'cors.origins': ['https://app.example'] } });

    const preflight = (Origin: string) =>
      fetch(`${service.origin}/api/v2/keys`, { method: 'OPTIONS', headers: { Origin, 'Access-Control-Request-Method': 'POST' } });

    it('may call the API if the site lists them', async () => {
      const answer = await preflight('https://app.example');
      expect(answer.status).to.equal(204);
      expect(answer.headers.get('Access-Control-Allow-Origin')).to.equal('https://app.example');
      const called = await (await service.client({ Origin: 'https://app.example' })).get('/openapi');
      expect(called.headers.get('Access-Control-Expose-Headers')).to.include('X-Svc-Total');
    });

    it('may not call the API if the site does not list them', async () => {
      const answer = await preflight('https://evil.example');
      expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).to.deep.equal([404, null]);
      const called = await (await service.client({ Origin: 'https://evil.example' })).get('/openapi');
      expect(called.headers.get('Access-Control-Allow-Origin')).to.equal(null);
    });
  });
});
