import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { hashOf, newToken } from '../../domain/keys/token.ts';
import type { UnitOfWork } from '../../domain/ports.ts';
import { systemRandom } from '../../domain/random.ts';
import { appPasswordHash, newAppPassword } from '../../domain/users/app-password.ts';
import { createUser } from '../../domain/users/create.ts';
import type { Credentials } from '../../server/auth/credentials.ts';
import { Identification } from '../../server/auth/identify.ts';
import type { Identity } from '../../server/auth/identity.ts';
import type { Source } from '../../server/cache/versioned-lru.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { newKey, newUser } from '../db/samples.ts';
import { forEachEngine } from '../support/engines.ts';
import { TestClock } from '../support/service.ts';

const { settings } = buildSettings({});

const inShort = (identity: Identity | undefined): string | undefined => {
  if (identity?.kind === 'caller') return `${identity.caller.method} of ${identity.caller.user.login}`;
  return identity && 'error' in identity ? identity.error.code : identity?.kind;
};

forEachEngine((engine) => {
  describe('whoever sends', () => {
    let database: Database;
    let clock: TestClock;
    let identification: Identification;
    let userId: number;
    beforeEach(async () => {
      database = await engine.open();
      clock = new TestClock();
      identification = new Identification(database, clock);
      userId = await userNamed('trail');
    });

    const userNamed = async (login: string): Promise<number> =>
      (await database.write((transaction) => createUser(transaction, newUser({ login })))).id;
    const identify = async (credentials: Credentials): Promise<string | undefined> =>
      inShort(await identification.identify(credentials, settings));

    describe('a key', () => {
      let token: string;
      let id: number;
      beforeEach(async () => {
        token = newToken(systemRandom);
        id = (await database.write(({ keys }) => keys.insert(newKey({ userId, hash: hashOf(token) })))).id;
      });

      const send = (sent = token) => identify({ kind: 'key', token: sent });
      const lastUse = () => database.read(async ({ keys }) => (await keys.byId(id))?.lastUsedAt);

      /** On PostgreSQL it is known for half a second alone, which a slow machine may have used up. */
      const knownAfterSending = async (): Promise<string | undefined> => {
        const known = () => inShort(identification.known(token, settings));
        for (let time = 0; time < 10 && known() === undefined; time += 1) expect(await send()).to.equal('api_key of trail');
        return known();
      };

      it('is known from memory once the key was looked up and its use was noted', async () => {
        expect(identification.known(token, settings)).to.equal(undefined);
        expect(await knownAfterSending()).to.equal('api_key of trail');
      });

      it('is not answered from memory when a use is to be noted: after five minutes, to the millisecond', async () => {
        await send();
        clock.advance(299.999);
        expect(await knownAfterSending()).to.equal('api_key of trail');
        clock.advance(0.001);
        expect(identification.known(token, settings)).to.equal(undefined);
        await send();
        expect(await lastUse()).to.equal(clock.now());
      });

      it('makes no commit for a use that needs no note: each would make all that is remembered old', async () => {
        await send();
        const before = database.commits;
        await send();
        expect(database.commits).to.equal(before);
      });

      it('that is revoked or over has used nothing', async () => {
        await database.write(({ keys }) => keys.revoke(id, clock.now()));
        expect([await send(), await lastUse()]).to.deep.equal(['svc_api_invalid_key', null]);
      });

      it('that there is not is looked for again each time, and takes no room in memory from those that there are', async () => {
        let reads = 0;
        const counted: UnitOfWork & Source = {
          read: (work, manner) => {
            reads += 1;
            return database.read(work, manner);
          },
          write: (work, manner) => database.write(work, manner),
          version: () => database.version(),
          commits: database.commits,
        };
        const guessed = newToken(systemRandom);
        const watched = new Identification(counted, clock);
        for (let time = 1; time <= 3; time += 1) {
          expect(inShort(await watched.identify({ kind: 'key', token: guessed }, settings))).to.equal('svc_api_invalid_key');
          expect([reads, watched.known(guessed, settings)]).to.deep.equal([time, undefined]);
        }
      });
    });

    describe('a name and a password', () => {
      let password: string;
      beforeEach(async () => {
        password = newAppPassword(systemRandom);
        const saved = (ofUser: number, text: string) => ({ userId: ofUser, name: 'shop', hash: appPasswordHash(text), createdAt: 0 });
        const others = saved(await userNamed('other'), "the other's");
        await userNamed('without');
        await database.write(async ({ appPasswords }) => {
          await appPasswords.insert(saved(userId, password));
          await appPasswords.insert(others);
        });
      });

      it('is whose they both are, by login and by email', async () => {
        for (const name of ['trail', 'trail@example.com'])
          expect(await identify({ kind: 'basic', name, password })).to.equal('basic of trail');
      });

      it('is nobody where either is wrong, and is told the same whichever it was', async () => {
        const wrong = [
          { name: 'trail', password: newAppPassword(systemRandom) },
          { name: 'trail', password: "the other's" },
          { name: 'trail', password: '' },
          { name: 'without', password },
          { name: 'nobody', password },
          { name: '', password: '' },
        ];
        for (const given of wrong) {
          const identity = await identification.identify({ kind: 'basic', ...given }, settings);
          expect(identity).to.have.nested.include({
            kind: 'refused',
            'error.code': 'svc_api_unauthorized',
            'error.message': 'The user name or the application password is wrong.',
          });
        }
      });
    });
  });
});
