import { expect } from 'chai';
import type { Repositories } from '../../domain/repositories.ts';
import type { Transaction } from '../../domain/unit-of-work.ts';
import type { EventKind } from '../../generated/events.ts';
import { failureOf } from '../db/gate.ts';
import { newEvent, newUser } from '../db/samples.ts';
import { forEachEngine } from '../support/engines.ts';
import { suiteService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('the change feed', () => {
    const { service, admin } = suiteService(engine);

    it('shows every event exactly once, and each transaction as a whole, to readers who follow the cursor while 8 writers commit and others roll back', async () => {
      const kinds: EventKind[] = ['referral', 'commission_added', 'payout_paid'];
      const units = 96;
      let next = 0;
      let writing = true;
      const isGivenUp = (number: number): boolean => number % 6 === 0;
      const unit =
        (number: number) =>
        async ({ events, users }: Transaction<Repositories>) => {
          // Many or few: an id is assigned long before, or right before, the commit.
          for (let at = 0; at < (number % 2 === 0 ? 20 : 1 + (number % 4)); at += 1)
            await events.record(newEvent({ kind: kinds[at % 3] ?? 'referral', objectId: number + 1 }));
          // On PostgreSQL no two of these can run beside each other: some fail as late as at their commit, and are tried again.
          if (number % 7 < 2) {
            await users.countByRole('affiliate');
            await users.insert(newUser());
          }
          if (isGivenUp(number)) throw new Error('given up');
        };
      const write = async (): Promise<void> => {
        for (let number = next++; number < units; number = next++) {
          const done = service.storage.write(unit(number));
          await (isGivenUp(number) ? failureOf(done) : done);
        }
      };
      const follow = async (query: string, perPage: number): Promise<number[]> => {
        const seen: number[] = [];
        for (let last = 0; ; ) {
          const over = !writing;
          const { body, headers } = await admin.get<{ id: number }[]>(`/events?after=${last}&per_page=${perPage}${query}`);
          seen.push(...body.map(({ id }) => id));
          last = Number(headers.get('X-Svc-Last-Event'));
          if (over && body.length === 0) return seen;
        }
      };
      const following = [follow('', 25), follow('&event=payout_paid,commission_added', 10)];
      await Promise.all(Array.from({ length: 8 }, write));
      writing = false;
      const [all = [], some = []] = await Promise.all(following);

      const rows = await (await engine.observe(service.databaseUrl)).query<{ id: unknown; kind: string; object_id: unknown }>(
        'select id, kind, object_id from events order by id',
      );
      expect(rows.length).to.be.above(units);
      expect(all).to.deep.equal(rows.map(({ id }) => Number(id)));
      expect(some).to.deep.equal(rows.filter(({ kind }) => kind !== 'referral').map(({ id }) => Number(id)));
      expect(all, 'a rollback left a gap').to.deep.equal(all.map((_, index) => index + 1));
      const runs = rows.map((row) => Number(row.object_id)).filter((unit, index, each) => unit !== each[index - 1]);
      expect(new Set(runs).size, 'a transaction is missing').to.equal(units - units / 6);
      expect(runs.length, 'events of different transactions are mixed').to.equal(units - units / 6);
    });
  });
});
