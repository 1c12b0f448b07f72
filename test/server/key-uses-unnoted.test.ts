import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { KeyUses } from '../../server/auth/key-last-used.ts';
import { failureOf } from '../db/gate.ts';
import { newKey } from '../db/samples.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';

forEachEngine((engine) => {
  describe('uses of keys', () => {
    let observer: Observer;
    let database: Database;
    let ids: number[];

    const open = async (patienceMs?: number): Promise<void> => {
      const url = await engine.freshUrl();
      database = await engine.open({ url, ...(patienceMs !== undefined && { timeoutMs: patienceMs }) });
      observer = await engine.observe(url);
      ids = [];
      for (let made = 0; made < 3; made += 1) ids.push((await database.write(({ keys }) => keys.insert(newKey()))).id);
    };
    const lastUses = () => database.read(({ keys }) => Promise.all(ids.map(async (id) => (await keys.byId(id))?.lastUsedAt)));
    /** As another process that writes and does not come to an end. */
    const whileNobodyCanWrite = async (work: () => Promise<void>): Promise<void> => {
      await observer.query(engine.name === 'sqlite' ? 'begin immediate' : 'begin');
      if (engine.name === 'postgres') await observer.query('lock table api_keys in exclusive mode');
      await work();
      await observer.query('rollback');
    };
    const note = (uses: KeyUses, at: number, index: number): Promise<void> => uses.note(ids[index] as number, at);

    it('that are noted together have the moment of the last', async () => {
      await open();
      const uses = new KeyUses(database);
      await Promise.all([note(uses, 1000, 0), note(uses, 5000, 1), note(uses, 6000, 2)]);
      expect(await lastUses()).to.deep.equal([1000, 6000, 6000]);
    });

    it('keep nobody waiting for long while nobody can write, and those after them not at all', async () => {
      await open();
      const uses = new KeyUses(database);
      await whileNobodyCanWrite(async () => {
        await note(uses, 1000, 0);
        await note(uses, 2000, 1);
      });
      // The first was under way and may come late; the second was never begun.
      await database.write(async () => {});
      expect((await lastUses())[1]).to.equal(null);
    });

    it('fail nobody where the database refuses the note, and are not tried again at once', async () => {
      await open(200);
      const uses = new KeyUses(database);
      await whileNobodyCanWrite(() => note(uses, 1000, 0));
      await note(uses, 2000, 1);
      expect(await lastUses()).to.deep.equal([null, null, null]);
    });

    it('fail where the fault is not of the database: that is for somebody to mend', async () => {
      await open();
      await observer.query(engine.name === 'sqlite' ? 'drop table api_keys' : 'drop table api_keys cascade');
      expect(await failureOf(note(new KeyUses(database), 1000, 0))).to.be.instanceOf(Error);
    });
  });
});
