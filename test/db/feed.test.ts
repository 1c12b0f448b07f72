import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { newEvent, newUser } from './samples.ts';

describe('the feed of events', () => {
  forEachEngine((engine) => {
    const database = testFixture(() => engine.open());
    const observer = testFixture(() => engine.observe(database.url));

    it('makes no writer retry because others record events concurrently', async () => {
      let attempts = 0;
      const write = () =>
        database.write(async ({ events, users }) => {
          attempts += 1;
          await users.byId(1);
          await events.record(newEvent());
        });
      await Promise.all(Array.from({ length: 60 }, write));
      expect(attempts).to.equal(60);
      const { total } = await database.read(({ events }) => events.after(0, { kinds: [], userId: null }, 25));
      expect(total).to.equal(60);
    });

    it('stores 1,201 events of one transaction in their order', async () => {
      await database.write(async ({ events }) => {
        for (let number = 1; number <= 1201; number += 1) await events.record(newEvent({ objectId: number }));
      });
      const rows = await observer.query<{ object_id: string }>('select object_id from events order by id');
      expect(rows.map((row) => Number(row.object_id))).to.deep.equal(Array.from({ length: 1201 }, (_, index) => index + 1));
    });

    it('is written last in a transaction, so that its lock is held for no other statement', async () => {
      const statements: string[] = [];
      const watched = await engine.open({ onStatement: (sql) => statements.push(sql) });
      await watched.write(async ({ events, users }) => {
        await events.record(newEvent());
        await users.insert(newUser());
      });
      const insertion = /insert into "?events"?/i;
      const first = statements.findIndex((sql) => (engine.name === 'sqlite' ? insertion : /pg_advisory_xact_lock/).test(sql));
      const underTheLock = statements.slice(first + 1).filter((sql) => sql !== 'COMMIT');
      expect(statements.findIndex((sql) => /insert into users/i.test(sql))).to.be.within(0, first);
      expect(statements.some((sql) => insertion.test(sql))).to.equal(true);
      for (const sql of underTheLock) expect(sql).to.match(/\bevents\b/);
    });
  });
});
