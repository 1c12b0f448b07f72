import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { newSession, savedUser } from './samples.ts';

describe('the repositories of sessions and application passwords', () => {
  forEachEngine((engine) => {
    const database = testFixture(() => engine.open());
    let userId: number;
    beforeEach(async () => {
      userId = await savedUser(database);
    });

    const byHash = (hash: string) => database.read(({ sessions }) => sessions.byHash(hash));

    it('return a session as inserted, until it is removed', async () => {
      const session = newSession({ userId });
      await database.write(({ sessions }) => sessions.insert(session));
      expect(await byHash(session.hash)).to.deep.equal(session);
      await database.write(({ sessions }) => sessions.remove(session.hash));
      expect(await byHash(session.hash)).to.equal(null);
      await database.write(({ sessions }) => sessions.remove(session.hash));
    });

    it('remove sessions from the moment they expire, and no others', async () => {
      const [over, ending, running] = [1999, 2000, 2001].map((expiresAt) => newSession({ userId, expiresAt, hash: `until ${expiresAt}` }));
      await database.write(async ({ sessions }) => {
        for (const session of [over, ending, running]) if (session) await sessions.insert(session);
        await sessions.removeExpired(2000);
      });
      expect(await byHash('until 1999')).to.equal(null);
      expect(await byHash('until 2000')).to.equal(null);
      expect(await byHash('until 2001')).to.deep.equal(running);
    });

    it('find application passwords by their user', async () => {
      const password = { userId, name: 'phone', hash: 'hash of it', createdAt: 1_760_000_000_000 };
      const id = await database.write(({ appPasswords }) => appPasswords.insert(password));
      const ofUser = (user: number) => database.read(({ appPasswords }) => appPasswords.ofUser(user));
      expect(await ofUser(userId)).to.deep.equal([{ ...password, id, lastUsedAt: null, expiresDay: null }]);
      expect(await ofUser(userId + 1)).to.deep.equal([]);
      expect(await ofUser(1e30)).to.deep.equal([]);
    });

    it('delete sessions and application passwords with their user', async () => {
      const session = newSession({ userId });
      await database.write(async ({ sessions, appPasswords }) => {
        await sessions.insert(session);
        await appPasswords.insert({ userId, name: 'phone', hash: 'hash of it', createdAt: 1 });
      });
      const observer = await engine.observe(database.url);
      if (engine.name === 'sqlite') await observer.query('pragma foreign_keys = on');
      await observer.query(`delete from users where id = ${userId}`);
      expect(await byHash(session.hash)).to.equal(null);
      expect(await database.read(({ appPasswords }) => appPasswords.ofUser(userId))).to.deep.equal([]);
    });

    it('reject a session of a user that does not exist', async () => {
      const outcome = await Promise.allSettled([database.write(({ sessions }) => sessions.insert(newSession({ userId: 999 })))]);
      expect(outcome[0].status).to.equal('rejected');
    });
  });
});
