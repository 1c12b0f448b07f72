import { expect } from 'chai';
import { systemRandom } from '../../domain/random.ts';
import { createAppPassword, revokeAppPassword } from '../../domain/users/app-password.ts';
import { disableUser, enableUser } from '../../domain/users/disable.ts';
import { hashPassword, setPassword } from '../../domain/users/password.ts';
import { startSession, verifyCredentials } from '../../domain/users/sign-in.ts';
import type { User } from '../../domain/users/user.ts';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { suiteService } from '../support/service.ts';

const password = 'correct horse battery';
type Headers = Record<string, string>;

onAnyEngine((engine) => {
  describe('the credentials of a user', () => {
    const { service, clock } = suiteService(engine);
    /** Another process on the same database, as the command line is. */
    const operator = suiteFixture(() => engine.open({ url: service.databaseUrl }));

    const now = (): { now: number; userId: number } => ({ now: clock.now(), userId: 0 });
    const codeOf = async (headers: Headers): Promise<string> => {
      const { status, body } = await (await service.client(headers)).get('/me');
      return status === 200 ? 'served' : body.code;
    };
    /** A commit of another process is seen at once on SQLite, and within half a second on PostgreSQL. */
    const codeWithinASecond = async (headers: Headers, expected: string): Promise<string> => {
      const deadline = performance.now() + 1000;
      let code = await codeOf(headers);
      while (code !== expected && engine.name === 'postgres' && performance.now() < deadline) code = await codeOf(headers);
      return code;
    };
    const eventsOf = async (kind: string): Promise<{ event_id: number; info: string }[]> => {
      const admin = await service.clientOf(await service.user(`reader-of-${kind}`, 'administrator'));
      const { body } = await admin.get(`/events?event=${kind}`);
      return body.map(({ event, object_type, event_id, user_id, info }: Record<string, unknown>) => ({
        event,
        object_type,
        event_id,
        user_id,
        info,
      }));
    };

    it('are all refused while the user is disabled by another process, and no session outlives it', async () => {
      const user = await service.user('ada', 'administrator', { password });
      const key = (await service.key(user, ['read'])).headers;
      const basic = await service.appPassword(user);
      const session = await service.session('ada', password);
      for (const headers of [key, basic, session]) expect(await codeOf(headers)).to.equal('served');
      expect(await operator.write((transaction) => disableUser(transaction, user, now()))).to.equal(true);
      expect(await codeWithinASecond(key, 'svc_api_invalid_key_user')).to.equal('svc_api_invalid_key_user');
      expect([await codeOf(basic), await codeOf(session)]).to.deep.equal(['svc_api_unauthorized', 'svc_api_unauthorized']);
      expect(await service.signIn('ada', password)).not.to.have.property('svc_session');
      expect(await operator.write((transaction) => disableUser(transaction, user, now()))).to.equal(false);

      expect(await operator.write((transaction) => enableUser(transaction, user, now()))).to.equal(true);
      expect(await codeWithinASecond(key, 'served')).to.equal('served');
      expect([await codeOf(basic), await codeOf(session)]).to.deep.equal(['served', 'svc_api_unauthorized']);
      expect(await service.signIn('ada', password)).to.have.property('svc_session');
      const event = { object_type: 'user', event_id: user.id, user_id: 0 };
      expect(await eventsOf('user_disabled')).to.deep.equal([{ event: 'user_disabled', ...event, info: 'The ada was disabled.' }]);
      expect(await eventsOf('user_enabled')).to.deep.equal([{ event: 'user_enabled', ...event, info: 'The ada was enabled.' }]);
    });

    it('start no session if the password changes or the user is disabled during the sign-in', async () => {
      const user = await service.user('bob', 'customer', { password });
      const found = await operator.query(({ users }) => users.withCredentials('bob'));
      const verified = await verifyCredentials(found, password);
      if (!verified) throw new Error('The password is right.');
      const browser = { device: 'Firefox on Linux', address: '192.0.2.0/24' };
      const start = () =>
        operator.write((transaction) => startSession(transaction, verified, browser, { now: clock.now(), random: systemRandom }));
      expect(await start()).to.have.property('cookie');
      await operator.write((transaction) => disableUser(transaction, user, now()));
      expect(await start()).to.equal(null);
      await operator.write((transaction) => enableUser(transaction, user, now()));
      const hash = await hashPassword('another sentence', systemRandom);
      await operator.write((transaction) => setPassword(transaction, user.id, hash));
      expect(await start()).to.equal(null);
    });

    const withPassword = async (login: string, expiresDay?: string) => {
      const user: User = await service.user(login, 'customer');
      const created = await operator.write((transaction) =>
        createAppPassword(transaction, user, { name: 'nightly', expiresDay: expiresDay ?? null }, { ...now(), random: systemRandom }),
      );
      const headers = { Authorization: `Basic ${Buffer.from(`${login}:${created.password}`).toString('base64')}` };
      return { user, headers, id: created.id };
    };

    it('include application passwords that can be revoked, each with an event', async () => {
      const { user, headers, id } = await withPassword('carl');
      const { headers: others } = await withPassword('dora');
      expect(await codeOf(headers)).to.equal('served');
      await operator.write((transaction) => revokeAppPassword(transaction, user, id, now()));
      expect([await codeOf(headers), await codeOf(others)]).to.deep.equal(['svc_api_unauthorized', 'served']);
      const event = { object_type: 'app_password', event_id: id, user_id: 0 };
      const info = 'Application password "nightly" of The carl was revoked.';
      expect(await eventsOf('app_password_revoked')).to.deep.equal([{ event: 'app_password_revoked', ...event, info }]);
      const [, created] = await eventsOf('app_password_created');
      const createdInfo = 'Application password "nightly" was created for The carl.';
      expect(created).to.deep.equal({ event: 'app_password_created', ...event, info: createdInfo });
    });

    it('include application passwords that expire at the end of a day of the store, and whose last use is recorded', async () => {
      const { user, headers } = await withPassword('emil', '2026-11-02');
      const lastUse = async () => (await operator.read(({ appPasswords }) => appPasswords.ofUser(user.id)))[0]?.lastUsedAt;
      expect(await lastUse()).to.equal(null);
      clock.advance(17 * 60 * 60 - 1);
      expect([await codeOf(headers), await lastUse()]).to.deep.equal(['served', clock.now()]);
      const before = service.storage.commits;
      expect([await codeOf(headers), service.storage.commits]).to.deep.equal(['served', before]);
      clock.advance(1);
      expect(await codeOf(headers)).to.equal('svc_api_unauthorized');
    });
  });
});
