import { expect } from 'chai';
import { until } from '../cli/served.ts';
import { type Nodes, tally } from './nodes.ts';

const from = (address: string) => ({ 'X-Forwarded-For': address });
const statusesOf = (answers: { status: number }[]) => tally(answers.map(({ status }) => status));

/** What is refused, and to whom, holds for all processes together. */
export function holdTogether(nodes: () => Nodes): void {
  const admin = async () =>
    nodes().store.key(await nodes().store.user(`boss${Math.random()}`, 'administrator'), ['read', 'write', 'manage']);

  it('let exactly 120 requests of a key pass in a minute, of 240 that come at once', async () => {
    const { headers } = await nodes().store.key(await nodes().store.user('busy', 'customer'), ['read']);
    expect(statusesOf(await nodes().atOnce(240, () => ({ path: '/me', headers })))).to.deep.equal({ 200: 120, 429: 120 });
  });

  it('let exactly 30 requests of all anonymous callers pass, of 60 that come at once', async () => {
    expect(statusesOf(await nodes().atOnce(60, () => ({ path: '/openapi' })))).to.deep.equal({ 200: 30, 429: 30 });
  });

  it('lock an address out after exactly 20 failures, of 80 that come at once, and no other address', async () => {
    const wrong = { Authorization: 'Bearer svc_wrong' };
    const answers = await nodes().atOnce(80, () => ({ path: '/me', headers: { ...wrong, ...from('203.0.113.1') } }));
    expect(tally(answers.map(({ body }) => body.code))).to.deep.equal({ svc_api_invalid_key: 20, svc_api_too_many_auth_failures: 60 });
    const { headers } = await admin();
    for (const { status } of await nodes().everywhere({ path: '/me', headers: { ...headers, ...from('203.0.113.1') } }))
      expect(status).to.equal(429);
    for (const { status } of await nodes().everywhere({ path: '/me', headers: { ...headers, ...from('203.0.113.2') } }))
      expect(status).to.equal(200);
  });

  it('refuse a key within a second after it was revoked at one of them', async () => {
    const { headers } = await admin();
    const { body } = await nodes().ask({ method: 'POST', path: '/keys', headers, json: { scopes: ['read'] } });
    const its = { path: '/me', headers: { Authorization: `Bearer ${body.token}`, ...from('203.0.113.3') } };
    for (const { status } of await nodes().everywhere(its)) expect(status).to.equal(200);
    await nodes().ask({ method: 'DELETE', path: `/keys/${body.id}`, headers });
    await nodes().store.settings.set('lockout.max_failures', 0);
    await nodes().withinASecond(its, (answer) => answer.body.code === 'svc_api_invalid_key');
    await nodes().store.settings.unset('lockout.max_failures');
  });

  it('refuse an application password, a session and the keys of a user from the moment, or within a second after, they are gone', async () => {
    const { store } = nodes();
    await store.settings.set('lockout.max_failures', 0);
    const user = await store.user('leaver', 'customer', { password: 'correct horse battery' });
    const [password, session, key] = [
      await store.appPassword(user),
      await store.session('leaver', 'correct horse battery'),
      (await store.key(user, ['read'])).headers,
    ];
    for (const headers of [password, session, key])
      for (const { status } of await nodes().everywhere({ path: '/me', headers })) expect(status).to.equal(200);
    await nodes().rows(`delete from app_passwords where user_id = ${user.id}`);
    for (const { status } of await nodes().everywhere({ path: '/me', headers: password })) expect(status).to.equal(401);
    await nodes().rows(`delete from sessions where user_id = ${user.id}`);
    // Nobody in particular any more, who may have used up what anonymous callers have.
    for (const { headers } of await nodes().everywhere({ path: '/me', headers: session }))
      expect(headers['ratelimit-policy']).to.match(/^"anonymous"/);
    await nodes().rows(`delete from users where id = ${user.id}`);
    await nodes().withinASecond({ path: '/me', headers: key }, ({ body }) => body.code === 'svc_api_invalid_key_user');
    await store.settings.unset('lockout.max_failures');
  });

  it('see a setting within a second after it was changed elsewhere, and its taking back', async () => {
    const { headers } = await admin();
    await nodes().store.settings.set('switches.get_keys', false);
    await nodes().withinASecond({ path: '/keys', headers }, ({ status }) => status === 404);
    await nodes().store.settings.unset('switches.get_keys');
    await nodes().withinASecond({ path: '/keys', headers }, ({ status }) => status === 200);
  });

  it('tell when a key was used last, whichever of them it was used at', async () => {
    const used = await nodes().store.key(await nodes().store.user('reader', 'customer'), ['read']);
    await nodes().atOnce(20, () => ({ path: '/me', headers: used.headers }));
    const { headers } = await admin();
    const lastUsed = async (): Promise<string | null | undefined> => {
      const keys = (await nodes().ask({ path: '/keys?per_page=100', headers })).body as { id: number; last_used: string | null }[];
      return keys.find(({ id }) => id === used.id)?.last_used;
    };
    // Nobody waits for it where that takes long.
    await until(5000, async () => /^\d{4}-/.test((await lastUsed()) ?? ''));
  });
}
