import { expect } from 'chai';
import { waitUntil } from '../cli/running-service.ts';
import { countValues, type NodeCluster } from './node-cluster.ts';

const from = (address: string) => ({ 'X-Forwarded-For': address });
const countStatuses = (responses: { status: number }[]) => countValues(responses.map(({ status }) => status));

/** Limits, lockouts, revocations and settings apply to all processes together. */
export function sharedStateTests(cluster: () => NodeCluster): void {
  const admin = async () =>
    cluster().store.key(await cluster().store.user(`boss${Math.random()}`, 'administrator'), ['read', 'write', 'manage']);

  it('accept exactly 120 of 240 concurrent requests of a key in a minute', async () => {
    const { headers } = await cluster().store.key(await cluster().store.user('busy', 'customer'), ['read']);
    expect(countStatuses(await cluster().sendConcurrently(240, () => ({ path: '/me', headers })))).to.deep.equal({ 200: 120, 429: 120 });
  });

  it('accept exactly 30 of 60 concurrent anonymous requests', async () => {
    expect(countStatuses(await cluster().sendConcurrently(60, () => ({ path: '/openapi' })))).to.deep.equal({ 200: 30, 429: 30 });
  });

  it('lock an address out after exactly 20 of 80 concurrent failures, and no other address', async () => {
    const wrong = { Authorization: 'Bearer svc_wrong' };
    const responses = await cluster().sendConcurrently(80, () => ({ path: '/me', headers: { ...wrong, ...from('203.0.113.1') } }));
    expect(countValues(responses.map(({ body }) => body.code))).to.deep.equal({
      svc_api_invalid_key: 20,
      svc_api_too_many_auth_failures: 60,
    });
    const { headers } = await admin();
    for (const { status } of await cluster().sendToEach({ path: '/me', headers: { ...headers, ...from('203.0.113.1') } }))
      expect(status).to.equal(429);
    for (const { status } of await cluster().sendToEach({ path: '/me', headers: { ...headers, ...from('203.0.113.2') } }))
      expect(status).to.equal(200);
  });

  it('reject a key within a second after its revocation by one of them', async () => {
    const { headers } = await admin();
    const { body } = await cluster().send({ method: 'POST', path: '/keys', headers, json: { scopes: ['read'] } });
    const withKey = { path: '/me', headers: { Authorization: `Bearer ${body.token}`, ...from('203.0.113.3') } };
    for (const { status } of await cluster().sendToEach(withKey)) expect(status).to.equal(200);
    await cluster().send({ method: 'DELETE', path: `/keys/${body.id}`, headers });
    await cluster().store.settings.set('lockout.max_failures', 0);
    await cluster().withinASecond(withKey, (response) => response.body.code === 'svc_api_invalid_key');
    await cluster().store.settings.unset('lockout.max_failures');
  });

  it('reject application passwords and sessions at once, and the keys of a user within a second, after their deletion', async () => {
    const { store } = cluster();
    await store.settings.set('lockout.max_failures', 0);
    const user = await store.user('leaver', 'customer', { password: 'correct horse battery' });
    const [password, session, key] = [
      await store.appPassword(user),
      await store.session('leaver', 'correct horse battery'),
      (await store.key(user, ['read'])).headers,
    ];
    for (const headers of [password, session, key])
      for (const { status } of await cluster().sendToEach({ path: '/me', headers })) expect(status).to.equal(200);
    await cluster().query(`delete from app_passwords where user_id = ${user.id}`);
    for (const { status } of await cluster().sendToEach({ path: '/me', headers: password })) expect(status).to.equal(401);
    await cluster().query(`delete from sessions where user_id = ${user.id}`);
    // The caller is anonymous now, and may be rate limited as such.
    for (const { headers } of await cluster().sendToEach({ path: '/me', headers: session }))
      expect(headers['ratelimit-policy']).to.match(/^"anonymous"/);
    await cluster().query(`delete from users where id = ${user.id}`);
    await cluster().withinASecond({ path: '/me', headers: key }, ({ body }) => body.code === 'svc_api_invalid_key_user');
    await store.settings.unset('lockout.max_failures');
  });

  it('apply a setting and its removal within a second after the change', async () => {
    const { headers } = await admin();
    await cluster().store.settings.set('switches.get_keys', false);
    await cluster().withinASecond({ path: '/keys', headers }, ({ status }) => status === 404);
    await cluster().store.settings.unset('switches.get_keys');
    await cluster().withinASecond({ path: '/keys', headers }, ({ status }) => status === 200);
  });

  it('record the last use of a key in any of them', async () => {
    const used = await cluster().store.key(await cluster().store.user('reader', 'customer'), ['read']);
    await cluster().sendConcurrently(20, () => ({ path: '/me', headers: used.headers }));
    const { headers } = await admin();
    const lastUsed = async (): Promise<string | null | undefined> => {
      const keys = (await cluster().send({ path: '/keys?per_page=100', headers })).body as { id: number; last_used: string | null }[];
      return keys.find(({ id }) => id === used.id)?.last_used;
    };
    // Written after the response.
    await waitUntil(5000, async () => /^\d{4}-/.test((await lastUsed()) ?? ''));
  });
}
