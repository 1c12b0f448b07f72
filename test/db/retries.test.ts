import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { databaseErrorKind } from '../../db/engine/database-error.ts';
import { lockWrites } from '../../db/engine/dialect.ts';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { failureOf, meetingOf } from './gate.ts';
import { newEvent, newKey, newUser, savedUser } from './samples.ts';

describe('conflicting writes', () => {
  forEachEngine((engine) => {
    const database = testFixture(() => engine.open());
    const openOther = () => engine.open({ url: database.url });

    const version = () => database.read(({ settings }) => settings.version());

    it('all succeed within a few attempts and lose no update, however many change one row from three processes', async () => {
      const processes = [database, await openOther(), await openOther()];
      const add = async (process: Database): Promise<number> => {
        let attempts = 0;
        await process.write(async ({ settings }) => {
          attempts += 1;
          const { values } = await settings.all();
          await settings.set('count', Number(values.count ?? 0) + 1);
        });
        return attempts;
      };
      const attempts = await Promise.all(processes.flatMap((process) => Array.from({ length: 50 }, () => add(process))));
      expect((await database.read(({ settings }) => settings.all())).values).to.deep.equal({ count: 150 });
      expect(Math.max(...attempts)).to.be.at.most(6);
    });

    if (engine.name === 'sqlite') return;

    it('are retried after a serialisation failure, with the events of the last attempt only', async () => {
      const bothHaveRead = meetingOf(2);
      let attempts = 0;
      const write = () =>
        database.write(async ({ settings, events }) => {
          attempts += 1;
          const before = await settings.version();
          await events.record(newEvent());
          await bothHaveRead();
          await settings.set('seen', before);
        });
      await Promise.all([write(), write()]);
      expect(attempts).to.equal(3);
      expect(await version()).to.equal(2);
      const [row] = await (await engine.observe(database.url)).query<{ count: string }>('select count(*) from events');
      expect(Number(row?.count)).to.equal(2);
    });

    it('are retried when two changed what both had only read', async () => {
      const bothHaveRead = meetingOf(2);
      const becomeTheOnlyAdministrator = () =>
        database.write(async ({ users }) => {
          const taken = (await users.countByRole('administrator')) > 0;
          await bothHaveRead();
          return taken ? null : users.insert(newUser({ role: 'administrator' }));
        });
      const ids = await Promise.all([becomeTheOnlyAdministrator(), becomeTheOnlyAdministrator()]);
      expect(ids.filter((id) => id !== null).length).to.equal(1);
    });

    it('are retried after a deadlock', async () => {
      const keys = await database.write(({ keys }) => Promise.all([keys.insert(newKey()), keys.insert(newKey())]));
      const bothHaveLocked = meetingOf(2);
      const touch = (order: typeof keys) =>
        database.write(async ({ keys }) => {
          await keys.touch([order[0].id], 5000, 0);
          await bothHaveLocked();
          await keys.touch([order[1].id], 5000, 0);
        });
      await Promise.all([touch(keys), touch([keys[1], keys[0]])]);
      const after = await database.read(({ keys: store }) => Promise.all(keys.map(({ id }) => store.byId(id))));
      expect(after.map((key) => key?.lastUsedAt)).to.deep.equal([5000, 5000]);
    });

    it('fail only once: the second attempt excludes the writes of all processes, and first attempts run beside each other', async () => {
      const other = await openOther();
      let attempts = 0;
      let isOver = false;
      const meanwhile: Promise<boolean>[] = [];
      await database.write(async ({ settings }) => {
        attempts += 1;
        await settings.version();
        const theirs = other.write(({ settings: theirSettings }) => theirSettings.set('a', attempts));
        if (attempts === 1) await theirs;
        else meanwhile.push(theirs.then(() => isOver));
        await settings.set('b', attempts);
        isOver = attempts > 1;
      });
      expect(attempts).to.equal(2);
      expect(await Promise.all(meanwhile)).to.deep.equal([true]);
    });

    it('that are exclusive have one attempt, however many change one row from two processes', async () => {
      let attempts = 0;
      const add = (process: Database): Promise<void> =>
        process.write(async ({ settings }) => {
          attempts += 1;
          await settings.set('count', Number((await settings.all()).values.count ?? 0) + 1);
        }, 'exclusive');
      const processes = [database, await openOther()];
      await Promise.all(processes.flatMap((process) => Array.from({ length: 10 }, () => add(process))));
      expect([attempts, (await database.read(({ settings }) => settings.all())).values]).to.deep.equal([20, { count: 20 }]);
    });

    it('fail with the reason after the last attempt where each conflicts with one that is unlocked', async () => {
      const other = await openOther();
      let attempts = 0;
      const writing = database.write(async ({ settings }) => {
        attempts += 1;
        await settings.version();
        await other.write((meanwhile) => meanwhile.settings.set('a', attempts), 'unlocked');
        await settings.set('b', attempts);
      });
      expect(await failureOf(writing)).to.include({ name: 'DatabaseError', code: '40001' });
      expect(attempts).to.be.within(3, 20);
    });

    it('fail as busy when the lock is not granted in time, also those that send their first statement with it', async () => {
      const limited = await engine.open({ url: database.url, timeoutMs: 1000 });
      const { query } = await engine.observe(database.url);
      await query('begin');
      await query(lockWrites.exclusive);
      const failure = await failureOf(limited.write(({ settings }) => settings.version()));
      await query('rollback');
      expect(databaseErrorKind(failure)).to.equal('busy');
    });

    it('are not retried after an error that is not a conflict', async () => {
      let attempts = 0;
      await failureOf(
        database.write(async () => {
          attempts += 1;
          throw new Error('changed my mind');
        }),
      );
      expect(attempts).to.equal(1);
    });

    it('fail with the error of the first of the statements that were sent together, and are retried where that is a conflict', async () => {
      await database.write(({ keys }) => keys.insert(newKey({ hash: 'taken' })));
      const writing = database.write(async ({ users, keys }) => {
        const late = keys.insert(newKey({ hash: 'taken' })).catch(async (error: unknown) => {
          for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
          throw error;
        });
        await Promise.all([late, users.insert(newUser({ login: 'bob' }))]);
      });
      expect(await failureOf(writing)).to.include({ code: '23505' });
      await savedUser(database, { login: 'bob' });
    });

    it('fail when the error of a statement was swallowed, because PostgreSQL has rolled back the rest', async () => {
      await database.write(({ keys }) => keys.insert(newKey({ hash: 'taken' })));
      const writing = database.write(async ({ users, keys }) => {
        await users.insert(newUser({ login: 'ann' }));
        await failureOf(keys.insert(newKey({ hash: 'taken' })));
      });
      expect((await failureOf(writing)).message).to.match(/nothing was saved/);
      await savedUser(database, { login: 'ann' });
    });
  });
});
