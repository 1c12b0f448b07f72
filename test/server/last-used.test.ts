import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { LastUsed } from '../../server/auth/last-used.ts';
import { failureOf } from '../db/gate.ts';
import { newKey } from '../db/samples.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';

forEachEngine((engine) => {
  describe('LastUsed', () => {
    let observer: Observer;
    let database: Database;
    let lastUsed: LastUsed;
    let ids: number[];

    const open = async (keyCount: number, timeoutMs?: number): Promise<void> => {
      const url = await engine.freshUrl();
      database = await engine.open({ url, ...(timeoutMs !== undefined && { timeoutMs }) });
      observer = await engine.observe(url);
      lastUsed = new LastUsed(database, ({ keys }, ...use) => keys.touch(...use));
      ids = await database.write(async ({ keys }) => {
        const created: number[] = [];
        for (let index = 0; index < keyCount; index += 1) created.push((await keys.insert(newKey())).id);
        return created;
      });
    };
    const storedUses = () => database.read(({ keys }) => Promise.all(ids.map(async (id) => (await keys.byId(id))?.lastUsedAt)));
    const record = (index: number, at: number): Promise<void> => lastUsed.record(ids[index] as number, at);
    /** Like a process whose transaction does not end. */
    const withWriteLock = async (work: () => Promise<void>): Promise<void> => {
      await observer.query(engine.name === 'sqlite' ? 'begin immediate' : 'begin');
      if (engine.name === 'postgres') await observer.query('lock table api_keys in exclusive mode');
      await work();
      await observer.query('rollback');
    };

    it('records the uses of a hundred clients that wake up at the same time in two commits', async () => {
      await open(100);
      const before = database.commits;
      await Promise.all([...ids, ...ids].map((id) => lastUsed.record(id, 5000)));
      expect(await storedUses()).to.deep.equal(ids.map(() => 5000));
      expect(database.commits - before).to.equal(2);
    });

    it('records the latest time of a batch for all of its keys', async () => {
      await open(3);
      await Promise.all([record(0, 1000), record(1, 5000), record(2, 6000)]);
      expect(await storedUses()).to.deep.equal([1000, 6000, 6000]);
    });

    it('delays the first request by the timeout while the database is locked, and the next requests not at all', async () => {
      await open(3);
      await withWriteLock(async () => {
        await record(0, 1000);
        await record(1, 2000);
      });
      // The first write was started and may finish late; the second was never started.
      await database.write(async () => {});
      expect((await storedUses())[1]).to.equal(null);
    });

    it('fails no request when the database rejects the write, and does not retry at once', async () => {
      await open(3, 200);
      await withWriteLock(() => record(0, 1000));
      await record(1, 2000);
      expect(await storedUses()).to.deep.equal([null, null, null]);
    });

    it('fails on a defect that is not a problem of the database', async () => {
      await open(3);
      await observer.query(engine.name === 'sqlite' ? 'drop table api_keys' : 'drop table api_keys cascade');
      expect(await failureOf(record(0, 1000))).to.be.instanceOf(Error);
    });
  });
});
