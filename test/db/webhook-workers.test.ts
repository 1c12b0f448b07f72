import { expect } from 'chai';
import { lockWrites } from '../../db/engine/dialect.ts';
import type { ClaimedDelivery } from '../../domain/webhooks/delivery.ts';
import { answered, DeliveryFixture } from '../support/deliveries.ts';
import { forEachEngine } from '../support/engines.ts';
import { upTo } from '../support/load.ts';

forEachEngine((engine) => {
  describe('webhook workers that record outcomes concurrently', () => {
    let statements: string[];
    let desks: DeliveryFixture[];
    const [webhooks, each] = [8, 8];
    beforeEach(async () => {
      statements = [];
      const url = await engine.freshUrl();
      desks = [];
      for (const _ of upTo(3)) desks.push(new DeliveryFixture(await engine.open({ url, onStatement: (sql) => statements.push(sql) })));
    });
    const retries = (): number => statements.filter((sql) => sql.includes(lockWrites.exclusive)).length;

    /** Rotates the list, so that no two workers have the same webhook first. */
    const rotate = (claimed: readonly ClaimedDelivery[], by: number): ClaimedDelivery[] => [...claimed.slice(by), ...claimed.slice(0, by)];

    it('neither fail each other nor lose a count, whatever the order of the outcomes', async () => {
      const [first] = desks as [DeliveryFixture];
      const ids: number[] = [];
      for (const _ of upTo(webhooks)) ids.push(await first.webhook());
      await first.recordEvents(desks.length * each);
      await Promise.all(
        desks.map(async (fixture, worker) => {
          for (const round of upTo(each)) {
            const claimed = (await fixture.claim({ inFlight: new Map(ids.map((id) => [id, 4])) })).toSorted(
              (one, other) => one.id - other.id,
            );
            const ended = rotate(claimed, (worker * 3 + round) % webhooks).map((delivery) => ({
              claimed: delivery,
              outcome: answered(500),
            }));
            await fixture.settleAll(worker === 1 ? ended.toReversed() : ended);
          }
        }),
      );
      const states = await Promise.all(ids.map((id) => first.state(id)));
      expect(states.map((state) => state?.failures)).to.deep.equal(ids.map(() => desks.length * each));
      expect(retries()).to.equal(0);
    });

    it('update the health of a healthy webhook at most once a second', async () => {
      const [fixture] = desks as [DeliveryFixture];
      const id = await fixture.webhook();
      await fixture.recordEvents(4);
      const writes = async (later: number): Promise<number> => {
        const claimed = await fixture.claimOne();
        fixture.now += later;
        statements.length = 0;
        await fixture.settle(claimed, answered(204));
        return statements.filter((sql) => /update "?webhook_health/i.test(sql)).length;
      };
      expect([await writes(0), await writes(999), await writes(1)]).to.deep.equal([1, 0, 1]);
      expect(await fixture.state(id)).to.include({ lastDeliveryAt: fixture.now });
    });

    it('record many outcomes with as many statements as one', async () => {
      const [fixture] = desks as [DeliveryFixture];
      await fixture.webhook();
      await fixture.recordEvents(6);
      const cost = async (count: number): Promise<number> => {
        const claimed = await fixture.claim({ limit: count });
        statements.length = 0;
        await fixture.settleAll(claimed.map((delivery) => ({ claimed: delivery, outcome: answered(500) })));
        return statements.length;
      };
      expect(await cost(1)).to.equal(await cost(5));
    });
  });
});
