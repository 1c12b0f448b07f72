import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { forEachEngine } from '../support/engines.ts';
import { failureOf, gate } from './gate.ts';
import { isSaved, newUser, savedUser } from './samples.ts';

describe('units of work inside and beside each other', () => {
  forEachEngine((engine) => {
    let database: Database;
    beforeEach(async () => {
      database = await engine.open();
    });

    it('a write inside a write is refused instead of waiting for itself, and harms nobody', async () => {
      const refusal = await database.write(async ({ users }) => {
        await users.insert(newUser({ login: 'outer' }));
        return failureOf(savedUser(database, { login: 'inner' }));
      });
      expect(refusal.message).to.match(/write inside a write/);
      expect([await isSaved(database, 'outer'), await isSaved(database, 'inner')]).to.deep.equal([true, false]);
    });

    it('a write inside a read is refused', async () => {
      const refusal = await database.read(() => failureOf(savedUser(database)));
      expect(refusal.message).to.match(/write inside a read/);
    });

    it('a read inside a write sees what is committed, even while as many run as there can be', async () => {
      const seen = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          database.write(async ({ users }) => {
            await users.insert(newUser({ login: `user-${index}` }));
            return isSaved(database, `user-${index}`);
          }),
        ),
      );
      expect(seen).to.deep.equal(Array.from({ length: 20 }, () => false));
    });

    it('a read inside a read sees the same state, even while as many run as there can be', async () => {
      const reads = Array.from({ length: 20 }, () => database.read(() => isSaved(database, 'ann')));
      expect(await Promise.all(reads)).to.deep.equal(Array.from({ length: 20 }, () => false));

      const [looked, written] = [gate(), gate()];
      const reading = database.read(async ({ users }) => {
        await users.countByRole('affiliate');
        looked.open();
        await written.opened;
        return isSaved(database, 'ann');
      });
      await looked.opened;
      await savedUser(database, { login: 'ann' });
      written.open();
      expect(await reading).to.equal(false);
    });

    it('what a unit leaves running may write once the unit has ended', async () => {
      const ended = gate();
      let later: Promise<number> | undefined;
      await database.write(async () => {
        later = ended.opened.then(() => savedUser(database, { login: 'later' }));
      });
      ended.open();
      await later;
      expect(await isSaved(database, 'later')).to.equal(true);
    });

    it('closing waits for what is under way, its inner reads included, and refuses what comes later', async () => {
      const [begun, goOn] = [gate(), gate()];
      const writing = database.write(async ({ users }) => {
        await users.insert(newUser({ login: 'ann' }));
        begun.open();
        await goOn.opened;
        return isSaved(database, 'ann');
      });
      await begun.opened;
      const closing = database.close();
      expect((await failureOf(savedUser(database))).message).to.match(/closed/);
      goOn.open();
      expect(await writing).to.equal(false);
      await closing;
    });

    it('closing inside a unit is refused instead of waiting for itself', async () => {
      expect((await database.read(() => failureOf(database.close()))).message).to.match(/close inside a read/);
    });

    if (engine.name === 'sqlite')
      it('writes take their turns in the order in which they came', async () => {
        const order: number[] = [];
        const turns = Array.from({ length: 20 }, (_, index) =>
          database.write(async ({ users }) => {
            order.push(index);
            if (index % 3 === 0) await users.countByRole('affiliate');
          }),
        );
        await Promise.all(turns);
        expect(order).to.deep.equal(turns.map((_, index) => index));
      });
  });
});
