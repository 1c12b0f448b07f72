import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import type { RecordedEvent } from '../../domain/events/event.ts';
import type { Transaction } from '../../domain/ports.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';
import { failureOf } from './gate.ts';
import { newEvent, newUser } from './samples.ts';

describe('the feed of events', () => {
  forEachEngine((engine) => {
    let url: string;
    let database: Database;
    let observer: Observer;
    beforeEach(async () => {
      url = await engine.freshUrl();
      database = await engine.open({ url });
      observer = await engine.observe(url);
    });

    const allEvents = { kinds: [], userId: null };
    const after = (cursor: number, limit = 25) => database.read(({ events }) => events.after(cursor, allEvents, limit));

    it('shows each event exactly once to a reader that follows the cursor, and each transaction as a whole, while 8 writers commit', async () => {
      const units = 160;
      const writer = await engine.open({ url });
      let next = 0;
      let writing = true;
      const write = async (): Promise<void> => {
        for (let unit = next++; unit < units; unit = next++) {
          const done = writer.write(unitOf(unit));
          await (isRolledBack(unit) ? failureOf(done) : done);
        }
      };
      const isRolledBack = (unit: number): boolean => unit % 5 === 0;
      // Many or few: an id is assigned long before, or right before, its commit.
      const sizeOf = (unit: number): number => (unit % 2 === 0 ? 40 : 1);
      const unitOf =
        (unit: number) =>
        async ({ events, users }: Transaction): Promise<void> => {
          for (let count = 0; count < sizeOf(unit); count += 1) await events.record(newEvent({ objectId: unit }));
          // On PostgreSQL these conflict: some fail as late as at their commit, and are retried.
          if (unit % 7 < 2) {
            await users.countByRole('affiliate');
            await users.insert(newUser());
          }
          if (isRolledBack(unit)) throw new Error('changed my mind');
        };
      const seen: RecordedEvent[] = [];
      const follow = async (): Promise<void> => {
        for (;;) {
          const over = !writing;
          const { items } = await after(seen.at(-1)?.id ?? 0);
          seen.push(...items);
          if (over && items.length === 0) return;
        }
      };
      const following = follow();
      await Promise.all(Array.from({ length: 8 }, write));
      writing = false;
      await following;

      const runs = seen.map(({ objectId }) => objectId).filter((unit, index, all) => unit !== all[index - 1]);
      expect(new Set(runs).size, 'a transaction is missing').to.equal(units - units / 5);
      expect(runs.length, 'events of different transactions are mixed').to.equal(units - units / 5);
      for (const unit of runs) expect(seen.filter(({ objectId }) => objectId === unit).length).to.equal(sizeOf(unit));
      const ids = seen.map(({ id }) => id);
      expect(ids, 'an id was assigned and not used').to.deep.equal(seen.map((_, index) => index + 1));
    });

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
      expect((await after(0)).total).to.equal(60);
    });

    it('stores all properties of an event', async () => {
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

    it('stores 1,201 events of one transaction in their order', async () => {
      await database.write(async ({ events }) => {
        for (let number = 1; number <= 1201; number += 1) await events.record(newEvent({ objectId: number }));
      });
      const rows = await observer.query<{ object_id: string }>('select object_id from events order by id');
      expect(rows.map((row) => Number(row.object_id))).to.deep.equal(Array.from({ length: 1201 }, (_, index) => index + 1));
    });

    it('contains no event of a transaction that was rolled back', async () => {
      await failureOf(
        database.write(async ({ events }) => {
          await events.record(newEvent());
          throw new Error('changed my mind');
        }),
      );
      expect(await after(0)).to.deep.equal({ items: [], total: 0 });
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
