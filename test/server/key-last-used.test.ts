import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { KeyUses } from '../../server/auth/key-last-used.ts';
import { newKey } from '../db/samples.ts';
import { forEachEngine } from '../support/engines.ts';

forEachEngine((engine) => {
  describe('uses of keys', () => {
    let database: Database;
    beforeEach(async () => {
      database = await engine.open();
    });

    const made = (count: number): Promise<number[]> =>
      database.write(async ({ keys }) => {
        const ids: number[] = [];
        for (let index = 0; index < count; index += 1) ids.push((await keys.insert(newKey())).id);
        return ids;
      });
    const lastUses = (ids: readonly number[]) =>
      database.read(({ keys }) => Promise.all(ids.map(async (id) => (await keys.byId(id))?.lastUsedAt)));

    it('are all noted when those who wait for it go on, and together: a hundred clients that wake up make two commits', async () => {
      const ids = await made(100);
      const uses = new KeyUses(database);
      const before = database.commits;
      await Promise.all([...ids, ...ids].map((id) => uses.note(id, 5000)));
      expect(await lastUses(ids)).to.deep.equal(ids.map(() => 5000));
      expect(database.commits - before).to.equal(2);
    });

    it('are noted again once five minutes have passed, and not before', async () => {
      const ids = await made(2);
      const uses = new KeyUses(database);
      for (const now of [1000, 200_000, 301_000]) await Promise.all(ids.map((id) => uses.note(id, now)));
      expect(await lastUses(ids)).to.deep.equal([301_000, 301_000]);
      await uses.note(ids[0] as number, 302_000);
      expect(await lastUses(ids)).to.deep.equal([301_000, 301_000]);
    });
  });
});
