import { expect } from 'chai';
import fc from 'fast-check';
import type { Database } from '../../db/database.ts';
import type { EventFilter, NewEvent } from '../../domain/events/event.ts';
import { newEvent } from '../db/samples.ts';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';

const kinds = ['referral', 'commission_added', 'payout_paid', 'webhook_disabled'] as const;

const filters: EventFilter[] = [
  { kinds: [], userId: null },
  { kinds: ['referral'], userId: null },
  { kinds: [...kinds], userId: null },
  { kinds: [], userId: 1 },
  { kinds: ['payout_paid', 'referral'], userId: 1 },
];

/** One unit of work: what it records, and whether it is given up at the end. */
const unit = fc.record({
  events: fc.array(fc.record({ kind: fc.constantFrom(...kinds), userId: fc.integer({ min: 0, max: 3 }) }), { maxLength: 12 }),
  isGivenUp: fc.boolean(),
});

const question = fc.record({
  kinds: fc.array(fc.constantFrom(...kinds, 'registration' as const), { maxLength: 5 }),
  userId: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 4 })),
  cursor: fc.integer({ min: 0, max: 120 }),
  page: fc.integer({ min: 1, max: 9 }),
  perPage: fc.integer({ min: 1, max: 20 }),
});

const isAsked = ({ kind, userId }: NewEvent, filter: EventFilter): boolean =>
  (filter.kinds.length === 0 || filter.kinds.includes(kind)) && (filter.userId === null || filter.userId === userId);

onAnyEngine((engine) => {
  describe('reading the feed', () => {
    const write = async (database: Database, events: readonly NewEvent[], isGivenUp = false): Promise<void> => {
      const done = database.write(async (transaction) => {
        for (const event of events) await transaction.events.record(event);
        if (isGivenUp) throw new Error('given up');
      });
      await (isGivenUp ? done.catch(() => {}) : done);
    };

    it('returns the rows and totals of counting one by one, for every history, cursor, page and filter', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(unit, { maxLength: 20 }),
          fc.array(question, { minLength: 25, maxLength: 25 }),
          async (units, questions) => {
            const database = await engine.open();
            const feed: (NewEvent & { id: number })[] = [];
            for (const { events, isGivenUp } of units) {
              const recorded = events.map((event) => newEvent(event));
              await write(database, recorded, isGivenUp);
              if (!isGivenUp) for (const event of recorded) feed.push({ ...event, id: feed.length + 1 });
            }
            for (const { cursor, page, perPage, ...filter } of questions) {
              const asked = feed.filter((event) => isAsked(event, filter));
              const beyond = asked.filter(({ id }) => id > cursor);
              const following = await database.read(({ events }) => events.after(cursor, filter, perPage));
              expect(following).to.deep.equal({ items: beyond.slice(0, perPage), total: beyond.length });
              const newestFirst = asked.toReversed().slice((page - 1) * perPage, page * perPage);
              const listed = await database.read(({ events }) => events.newest(filter, { page, perPage }));
              expect(listed).to.deep.equal({ items: newestFirst, total: asked.length });
            }
            await database.close();
          },
        ),
        { numRuns: 5, seed: 20_261_115 },
      );
    });

    describe('of a long history', () => {
      const statements: string[] = [];
      const database = suiteFixture(() => engine.open({ onStatement: (sql) => statements.push(sql) }));
      before(async () => {
        for (let batch = 0; batch < 4; batch += 1)
          await write(
            database,
            Array.from({ length: 500 }, (_, at) => newEvent({ kind: kinds[at % 3] ?? 'referral', userId: at % 2 })),
          );
      });

      const statementsOf = async (work: Parameters<Database['read']>[0]): Promise<string[]> => {
        statements.length = 0;
        await database.read(work);
        return statements.filter((sql) => /\bevents\b/.test(sql));
      };

      it('needs one statement for a poll, whatever is requested', async () => {
        for (const filter of filters) expect(await statementsOf(({ events }) => events.after(700, filter, 100))).to.have.length(1);
      });

      if (engine.name === 'sqlite')
        it('searches the index of what is requested, and never scans the table', async () => {
          const { query } = await engine.observe(database.url);
          /** How the statements find events, beside the lookup of rows by the ids found, and of the newest id. */
          const searchesOf = async (work: Parameters<Database['read']>[0]): Promise<string[]> => {
            const asked = await statementsOf(work);
            const plans = await Promise.all(asked.map((sql) => query<{ detail: string }>(`explain query plan ${sql}`)));
            const details = plans.flat().map(({ detail }) => detail);
            return details.filter((detail) => /^(SCAN|SEARCH) events?\b/.test(detail) && !/^SEARCH events$|\(rowid=\?\)$/.test(detail));
          };
          const expectOnly = (searches: string[], index: string): void => {
            expect(searches).not.to.deep.equal([]);
            expect(searches.filter((detail) => !detail.startsWith('SEARCH') || !detail.includes(index))).to.deep.equal([]);
          };
          for (const filter of filters) {
            const ofKinds = filter.kinds.length > 0 ? 'events_of_kind (kind=?' : 'PRIMARY KEY (rowid';
            const searches = await searchesOf(async ({ events }) => {
              await events.after(700, filter, 100);
              await events.newest(filter, { page: 2, perPage: 100 });
            });
            expectOnly(searches, filter.userId === null ? ofKinds : 'events_of_user (user_id=?');
          }
          const ofPayout = await searchesOf(({ events }) => events.ofPayout(7, { page: 1, perPage: 20 }));
          expectOnly(ofPayout, 'events_of_payout (object_id=?');
        });

      it('runs no query for a page past the end', async () => {
        const all = { kinds: [], userId: null };
        const [total, ...rest] = await statementsOf(({ events }) => events.newest(all, { page: 101, perPage: 20 }));
        expect(total).to.match(/as total$/);
        expect(rest).to.deep.equal([]);
        expect(await statementsOf(({ events }) => events.newest(all, { page: 100, perPage: 20 }))).to.have.length.above(1);
      });

      it('finds a page deep in the history of some kinds without reading what it skips', async () => {
        const some: EventFilter = { kinds: ['referral', 'payout_paid'], userId: null };
        const asked = await statementsOf(({ events }) => events.newest(some, { page: 60, perPage: 20 }));
        // Halving 2000 takes eleven looks, and each reads a few index entries.
        expect(asked.length).to.be.below(16);
        const { items } = await database.read(({ events }) => events.newest(some, { page: 60, perPage: 20 }));
        expect(items).to.have.length(20);
      });
    });
  });
});
