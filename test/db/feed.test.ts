import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';
import { failureOf } from './gate.ts';
import { newEvent, newUser } from './samples.ts';

interface SeenEvent {
  id: number;
  objectId: number;
}

describe('the feed of events', () => {
  forEachEngine((engine) => {
    let database: Database;
    let observer: Observer;
    beforeEach(async () => {
      const url = await engine.freshUrl();
      database = await engine.open({ url });
      observer = await engine.observe(url);
    });

    const eventsAfter = async (cursor: number): Promise<SeenEvent[]> => {
      const rows = await observer.query<{ id: string; object_id: string }>(
        `select * from events where id > ${cursor} order by id limit 25`,
      );
      return rows.map((row) => ({ id: Number(row.id), objectId: Number(row.object_id) }));
    };

    it('shows each event exactly once to a reader who follows the cursor, and one unit of work as a whole, while 8 writers commit', async () => {
      const units = 160;
      let next = 0;
      let writing = true;
      const write = async (): Promise<void> => {
        for (let unit = next++; unit < units; unit = next++) await database.write(recordsOf(unit));
      };
      // Many or few: an id is given out long before, or right before, its commit.
      const sizeOf = (unit: number): number => (unit % 2 === 0 ? 40 : 1);
      const recordsOf =
        (unit: number) =>
        async ({ events }: { events: Parameters<Parameters<Database['write']>[0]>[0]['events'] }): Promise<void> => {
          for (let count = 0; count < sizeOf(unit); count += 1) await events.record(newEvent({ objectId: unit }));
        };
      const seen: SeenEvent[] = [];
      const follow = async (): Promise<void> => {
        for (;;) {
          const over = !writing;
          const page = await eventsAfter(seen.at(-1)?.id ?? 0);
          seen.push(...page);
          if (over && page.length === 0) return;
        }
      };
      const following = follow();
      await Promise.all(Array.from({ length: 8 }, write));
      writing = false;
      await following;

      const runs = seen.map(({ objectId }) => objectId).filter((unit, index, all) => unit !== all[index - 1]);
      expect(new Set(runs).size).to.equal(units);
      expect(runs.length, 'events of different units are mixed').to.equal(units);
      for (let unit = 0; unit < units; unit += 1) expect(seen.filter(({ objectId }) => objectId === unit).length).to.equal(sizeOf(unit));
    });

    it('keeps everything that an event tells', async () => {
      await database.write(async ({ events }) => {
        await events.record(newEvent({ info: 'Größe', data: { order_id: 7, coupon: 'ANN10' }, userId: 3 }));
        await events.record(newEvent({ type: null, data: null }));
      });
      const [first, second] = await observer.query<Record<string, unknown>>('select * from events order by id');
      expect(first).to.include({ kind: 'referral', type: 'referral.created', object_type: 'order', info: 'Größe' });
      expect([first?.object_id, first?.user_id, first?.created_at].map(Number)).to.deep.equal([7, 3, 1_760_000_001_000]);
      expect(JSON.parse(String(first?.data))).to.deep.equal({ order_id: 7, coupon: 'ANN10' });
      expect([second?.type, second?.data]).to.deep.equal([null, null]);
    });

    it('takes in more events at once than one statement can carry, in their order', async () => {
      await database.write(async ({ events }) => {
        for (let number = 1; number <= 1201; number += 1) await events.record(newEvent({ objectId: number }));
      });
      const rows = await observer.query<{ object_id: string }>('select object_id from events order by id');
      expect(rows.map((row) => Number(row.object_id))).to.deep.equal(Array.from({ length: 1201 }, (_, index) => index + 1));
    });

    it('tells nothing of a unit of work that was rolled back', async () => {
      await failureOf(
        database.write(async ({ events }) => {
          await events.record(newEvent());
          throw new Error('changed my mind');
        }),
      );
      expect(await eventsAfter(0)).to.deep.equal([]);
    });

    it('is written to last, whenever the event was recorded, so that its lock is held for no other statement', async () => {
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
