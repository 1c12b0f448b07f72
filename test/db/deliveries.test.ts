import { expect } from 'chai';
import type { ClaimedDelivery } from '../../domain/webhooks/delivery.ts';
import { listDeliveries, releaseDeliveries } from '../../domain/webhooks/delivery-queue.ts';
import { answered, DeliveryFixture, start } from '../support/deliveries.ts';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { newEvent } from './samples.ts';

forEachEngine((engine) => {
  describe('the store of webhook deliveries', () => {
    const statements: string[] = [];
    const fixture = testFixture(async () => new DeliveryFixture(await engine.open({ onStatement: (sql) => statements.push(sql) })));

    it('queues a delivery for each active webhook that subscribed to the event, and for no other', async () => {
      const all = await fixture.webhook();
      const some = await fixture.webhook(['commission.added', 'payout.paid']);
      const disabled = await fixture.webhook();
      await fixture.setStatus(disabled, 'disabled');
      await fixture.recordEvents();
      await fixture.recordEvents(1, { type: 'commission.added' });
      await fixture.recordEvents(1, { kind: 'api_key_created', type: null, data: null });
      const events = async (id: number) => (await fixture.log(id)).map(({ event }) => event);
      expect(await events(all)).to.deep.equal(['commission.added', 'referral.created']);
      expect(await events(some)).to.deep.equal(['commission.added']);
      expect(await events(disabled)).to.deep.equal([]);
    });

    it('queues no delivery for an event that is rolled back', async () => {
      const id = await fixture.webhook();
      const failing = fixture.write(async ({ events }) => {
        await events.record(newEvent());
        throw new Error('no');
      });
      await failing.catch(() => {});
      expect(await fixture.log(id)).to.deep.equal([]);
      expect(await fixture.nextDueAt()).to.equal(null);
    });

    it('queues deliveries of 3,000 events with as many statements as of one, and with one statement where no webhook is active', async () => {
      const aboutWebhooks = async (count: number): Promise<number> => {
        statements.length = 0;
        await fixture.recordEvents(count);
        return statements.filter((sql) => /webhook|settings/.test(sql)).length;
      };
      expect(await aboutWebhooks(1)).to.equal(1);
      const id = await fixture.webhook();
      expect([await aboutWebhooks(1), await aboutWebhooks(3000)]).to.deep.equal([2, 2]);
      expect((await fixture.read((db) => listDeliveries(db, id, { page: 1, perPage: 1 }))).total).to.equal(3001);
    });

    it('allows one worker to claim a delivery, and another one once the lease is over', async () => {
      const id = await fixture.webhook();
      await fixture.recordEvents();
      const first = await fixture.claimOne();
      expect(first).to.deep.include({ webhookId: id, url: 'https://books.example/hook', event: 'referral.created', attempt: 1 });
      expect(first.data).to.deep.equal({ order_id: 0 });
      expect(await fixture.claim()).to.deep.equal([]);
      expect(await fixture.nextDueAt()).to.equal(fixture.now + 30_000);
      fixture.now += 30_000;
      const second = await fixture.claimOne();
      expect(second).to.deep.include({ id: first.id, attempt: 1 });
      await fixture.settle(second, answered(204));
      expect((await fixture.log(id)).map(({ status, attempts }) => [status, attempts.length])).to.deep.equal([['delivered', 1]]);
    });

    it('ignores the outcome of a worker whose delivery another worker has claimed since', async () => {
      const id = await fixture.webhook();
      await fixture.recordEvents();
      const first = await fixture.claimOne();
      fixture.now += 30_000;
      const second = await fixture.claimOne();
      await fixture.settle(first, answered(410));
      await fixture.settle(second, answered(204));
      await fixture.settle(first, answered(410));
      expect(await fixture.state(id)).to.include({ status: 'active', failures: 0 });
      expect((await fixture.log(id)).map(({ status, attempts }) => [status, attempts.length])).to.deep.equal([['delivered', 1]]);
    });

    it('releases deliveries that were claimed and not attempted', async () => {
      await fixture.webhook();
      await fixture.recordEvents();
      const claimed = await fixture.claim();
      await fixture.write((transaction) => releaseDeliveries(transaction, claimed, fixture.now));
      expect((await fixture.claim()).map(({ id, attempt }) => [id, attempt])).to.deep.equal(claimed.map(({ id }) => [id, 1]));
    });

    it('claims deliveries of other webhooks beside a webhook with 200 waiting ones', async () => {
      const busy = await fixture.webhook();
      await fixture.recordEvents(200);
      fixture.now += 1;
      const late = await fixture.webhook(['commission.added']);
      await fixture.recordEvents(3, { type: 'commission.added' });
      const ofEach = (claimed: readonly ClaimedDelivery[]) =>
        [busy, late].map((id) => claimed.filter(({ webhookId }) => webhookId === id).length);
      expect(ofEach(await fixture.claim({ limit: 6 }))).to.deep.equal([3, 3]);
      expect(ofEach(await fixture.claim({ inFlight: new Map([[busy, 3]]) }))).to.deep.equal([2, 0]);
      expect(await fixture.claim({ inFlight: new Map([[busy, 5]]) })).to.deep.equal([]);
      expect(await fixture.nextDueAt(new Map([[busy, 5]]))).to.equal(fixture.now + 30_000);
      expect(await fixture.nextDueAt()).to.equal(start);
    });

    it('allows concurrent workers to claim each delivery once', async () => {
      const url = await engine.freshUrl();
      const workers = [];
      for (let made = 0; made < 3; made += 1) workers.push(new DeliveryFixture(await engine.open({ url })));
      const [first] = workers;
      for (let made = 0; made < 4; made += 1) await first?.webhook();
      await first?.recordEvents(20);
      const taken: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const claims = await Promise.all(workers.map((worker) => worker.claim()));
        taken.push(...claims.flat().map(({ id }) => id));
      }
      expect(new Set(taken).size).to.equal(taken.length);
      expect(taken.length).to.be.at.least(60);
    });

    it('deletes deliveries with their webhook, also those in flight', async () => {
      const id = await fixture.webhook();
      await fixture.recordEvents(2);
      const claimed = await fixture.claimOne();
      await fixture.settle(await fixture.claimOne(), answered(500));
      await fixture.write(({ webhooks }) => webhooks.remove(id));
      await fixture.settle(claimed, answered(500));
      const { query } = await engine.observe(fixture.database.url);
      const left = ['webhook_health', 'webhook_deliveries', 'webhook_attempts'].map(
        (table) => `select '${table}' as left_in from ${table}`,
      );
      expect(await query(left.join(' union all '))).to.deep.equal([]);
      expect(await fixture.nextDueAt()).to.equal(null);
    });
  });
});
