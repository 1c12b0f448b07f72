import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { failureOf, gate } from './gate.ts';
import { isSaved, newUser, savedUser } from './samples.ts';

describe('units of work', () => {
  forEachEngine((engine) => {
    const database = testFixture(() => engine.open());

    for (const outer of ['query', 'read', 'write'] as const)
      it(`inside a ${outer} are refused by the guard that every test runs with`, async () => {
        const refusals = await database[outer](async () => [
          await failureOf(Promise.resolve().then(() => savedUser(database))),
          await failureOf(Promise.resolve().then(() => isSaved(database, 'ann'))),
        ]);
        expect(refusals.map(({ message }) => message)).to.deep.equal([
          `A write inside a ${outer} could wait for itself: finish the ${outer} first.`,
          `A read inside a ${outer} could wait for itself: finish the ${outer} first.`,
        ]);
      });

    it('of another database are allowed, and refuse those of the first as well', async () => {
      const other = await engine.open();
      const refusal = await database.read(() => other.write(() => failureOf(Promise.resolve().then(() => isSaved(database, 'ann')))));
      expect(refusal.message).to.equal('A read inside a read could wait for itself: finish the read first.');
    });

    it('can be started by callbacks of a unit that has ended', async () => {
      const ended = gate();
      let later: Promise<number> | undefined;
      await database.write(async () => {
        later = ended.opened.then(() => savedUser(database, { login: 'later' }));
      });
      ended.open();
      await later;
      expect(await isSaved(database, 'later')).to.equal(true);
    });

    it('are completed before close resolves, and refused after it', async () => {
      const [begun, goOn] = [gate(), gate()];
      const writing = database.write(async ({ users }) => {
        await users.insert(newUser({ login: 'ann' }));
        begun.open();
        await goOn.opened;
        return users.countByRole('affiliate');
      });
      await begun.opened;
      const closing = database.close();
      expect((await failureOf(savedUser(database))).message).to.match(/closed/);
      goOn.open();
      expect(await writing).to.equal(1);
      await closing;
    });

    if (engine.name === 'sqlite')
      it('write one after the other, in the order in which they were started', async () => {
        const order: number[] = [];
        const writes = Array.from({ length: 20 }, (_, index) =>
          database.write(async ({ users }) => {
            order.push(index);
            if (index % 3 === 0) await users.countByRole('affiliate');
          }),
        );
        await Promise.all(writes);
        expect(order).to.deep.equal(writes.map((_, index) => index));
      });
  });
});
