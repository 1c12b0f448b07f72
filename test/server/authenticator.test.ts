import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { generateToken, hashToken } from '../../domain/keys/key.ts';
import { systemRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { appPasswordHash, generateAppPassword } from '../../domain/users/app-password.ts';
import { createUser } from '../../domain/users/create.ts';
import { Authenticator } from '../../server/auth/authenticator.ts';
import type { Credentials } from '../../server/auth/credentials.ts';
import type { Identity } from '../../server/auth/identity.ts';
import { captureVersion } from '../../server/cache/versioned-lru.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { newKey, newUser } from '../db/samples.ts';
import { onAnyEngine } from '../support/engines.ts';
import { TestClock } from '../support/service.ts';

const { settings } = buildSettings({});

const inShort = (identity: Identity | undefined): string | undefined => {
  if (identity?.kind === 'caller') return `${identity.caller.method} of ${identity.caller.user.login}`;
  return identity && 'error' in identity ? identity.error.code : identity?.kind;
};

onAnyEngine((engine) => {
  describe('Authenticator', () => {
    let database: Database;
    let clock: TestClock;
    let identification: Authenticator;
    let userId: number;
    beforeEach(async () => {
      database = await engine.open();
      clock = new TestClock();
      identification = new Authenticator(database, clock);
      userId = await userNamed('trail');
    });

    const userNamed = async (login: string): Promise<number> =>
      (await database.write((transaction) => createUser(transaction, newUser({ login })))).id;
    const state = () => ({ settings, dataVersion: captureVersion(database) });
    const identify = async (credentials: Credentials, by = identification): Promise<string | undefined> =>
      inShort(await by.identify(credentials, state()));

    describe('by a key', () => {
      let token: string;
      let id: number;
      let reads: number;
      let counting: Authenticator;
      beforeEach(async () => {
        token = generateToken(systemRandom);
        id = (await database.write(({ keys }) => keys.insert(newKey({ userId, hash: hashToken(token) })))).id;
        reads = 0;
        const counted: UnitOfWork<Repositories> = {
          query: (work) => {
            reads += 1;
            return database.query(work);
          },
          read: (work) => database.read(work),
          write: (work, isolation) => database.write(work, isolation),
        };
        counting = new Authenticator(counted, clock);
      });

      const send = (sent = token) => identify({ kind: 'key', token: sent }, counting);
      const lastUse = () => database.read(async ({ keys }) => (await keys.byId(id))?.lastUsedAt);
      const readsToSend = async (): Promise<number> => {
        const before = reads;
        expect(await send()).to.equal('api_key of trail');
        return reads - before;
      };

      it('needs no query once the key was looked up and its use was recorded', async () => {
        // The first use is recorded by a commit, which makes the cached key stale.
        expect([await readsToSend(), await readsToSend()]).to.deep.equal([1, 1]);
        // On PostgreSQL a key is cached for half a second, which a slow machine may use up.
        const further = [];
        for (let time = 0; time < 10; time += 1) further.push(await readsToSend());
        expect(further).to.include(0);
      });

      it('records the use of a key after five minutes, to the millisecond', async () => {
        await send();
        const first = clock.now();
        clock.advance(299.999);
        await send();
        expect(await lastUse()).to.equal(first);
        clock.advance(0.001);
        await send();
        expect(await lastUse()).to.equal(first + 300_000);
      });

      it('commits nothing for a use that need not be recorded, because each commit makes every cached response stale', async () => {
        await send();
        const before = database.commits;
        await send();
        expect(database.commits).to.equal(before);
      });

      it('records no use of a revoked key', async () => {
        await database.write(({ keys }) => keys.revoke(id, clock.now()));
        expect([await send(), await lastUse()]).to.deep.equal(['svc_api_invalid_key', null]);
      });

      it('looks up an unknown key each time, and caches nothing for it', async () => {
        const guessed = generateToken(systemRandom);
        for (let time = 1; time <= 3; time += 1) {
          expect(await send(guessed)).to.equal('svc_api_invalid_key');
          expect(reads).to.equal(time);
        }
      });
    });

    describe('by a user name and an application password', () => {
      let password: string;
      beforeEach(async () => {
        password = generateAppPassword(systemRandom);
        const saved = (ofUser: number, text: string) => ({ userId: ofUser, name: 'shop', hash: appPasswordHash(text), createdAt: 0 });
        const others = saved(await userNamed('other'), "the other's");
        await userNamed('without');
        await database.write(async ({ appPasswords }) => {
          await appPasswords.insert(saved(userId, password));
          await appPasswords.insert(others);
        });
      });

      it('finds the user by login and by email', async () => {
        for (const name of ['trail', 'trail@example.com'])
          expect(await identify({ kind: 'basic', name, password })).to.equal('basic of trail');
      });

      it('rejects a wrong name and a wrong password with the same error', async () => {
        const wrong = [
          { name: 'trail', password: generateAppPassword(systemRandom) },
          { name: 'trail', password: "the other's" },
          { name: 'trail', password: '' },
          { name: 'without', password },
          { name: 'unknown', password },
          { name: '', password: '' },
        ];
        for (const sent of wrong) {
          const identity = await identification.identify({ kind: 'basic', ...sent }, state());
          expect(identity).to.have.nested.include({
            kind: 'rejected',
            'error.code': 'svc_api_unauthorized',
            'error.message': 'The user name or the application password is wrong.',
          });
        }
      });
    });
  });
});
