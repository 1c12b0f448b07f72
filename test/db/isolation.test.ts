import { expect } from 'chai';
import type { Repositories } from '../../domain/repositories.ts';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { failureOf, gate } from './gate.ts';
import { isSaved, newUser, savedUser } from './samples.ts';

describe('a unit of work', () => {
  forEachEngine((engine) => {
    const database = testFixture(() => engine.open());

    const affiliates = () => database.read(({ users }) => users.countByRole('affiliate'));

    it('loses nothing that was acknowledged and stores nothing that failed, however many run concurrently', async () => {
      const logins = Array.from({ length: 60 }, (_, index) => `user-${index}`);
      const fails = (login: string): boolean => Number(login.slice(5)) % 2 === 1;
      const outcomes = await Promise.allSettled(
        logins.map((login) =>
          database.write(async ({ users }) => {
            await users.insert(newUser({ login }));
            if (fails(login)) throw new Error('changed my mind');
            await users.countByRole('affiliate');
          }),
        ),
      );
      for (const [index, login] of logins.entries()) {
        expect(outcomes[index]?.status, login).to.equal(fails(login) ? 'rejected' : 'fulfilled');
        expect(await isSaved(database, login), login).to.equal(!fails(login));
      }
    });

    it('shows uncommitted data to no reader', async () => {
      const [inserted, commit] = [gate(), gate()];
      const writing = database.write(async ({ users }) => {
        await users.insert(newUser({ login: 'ann' }));
        inserted.open();
        await commit.opened;
      });
      await inserted.opened;
      expect(await isSaved(database, 'ann')).to.equal(false);
      commit.open();
      await writing;
      expect(await isSaved(database, 'ann')).to.equal(true);
    });

    it('sees what it has written itself', async () => {
      const found = await database.write(async ({ users }) => {
        await users.insert(newUser({ login: 'ann' }));
        return users.byLoginOrEmail('ann');
      });
      expect(found?.login).to.equal('ann');
    });

    it('reads one state although a write commits in the middle', async () => {
      const [looked, written] = [gate(), gate()];
      const reading = database.read(async ({ users }) => {
        const before = await users.countByRole('affiliate');
        looked.open();
        await written.opened;
        return [before, await users.countByRole('affiliate')];
      });
      await looked.opened;
      await savedUser(database);
      written.open();
      expect(await reading).to.deep.equal([0, 0]);
      expect(await affiliates()).to.equal(1);
    });

    it('can read and write nothing after it has ended', async () => {
      let leaked: Repositories | undefined;
      await database.write(async (db) => {
        leaked = db;
      });
      expect((await failureOf(leaked?.users.insert(newUser()) ?? Promise.resolve())).message).to.match(/ended/);
      expect(await affiliates()).to.equal(0);
    });

    it('that fails rolls back the statements that are still in flight', async () => {
      for (let round = 0; round < 20; round += 1) {
        const writing = database.write(async ({ users }) => {
          const others = Array.from({ length: 5 }, () => users.insert(newUser()));
          await Promise.all([...others, Promise.reject(new Error('changed my mind'))]);
        });
        await failureOf(writing);
        await savedUser(database, { role: 'customer' });
      }
      expect(await affiliates()).to.equal(0);
    });

    it('that only reads cannot write', async () => {
      const writing = database.read(({ users }) => users.insert(newUser()));
      expect((await failureOf(writing)).message).to.match(/read-?only/);
      const recording = database.read(({ events }) => events.record({} as never));
      expect((await failureOf(recording)).message).to.match(/recorded in a write/);
    });
  });
});
