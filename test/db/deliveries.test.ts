import { expect } from 'chai';
import type { ClaimedDelivery } from '../../domain/webhooks/delivery.ts';
import { listDeliveries, releaseDeliveries } from '../../domain/webhooks/delivery-queue.ts';
import { answered, DeliveryDesk, start } from '../support/deliveries.ts';
import { forEachEngine } from '../support/engines.ts';
import { newEvent } from './samples.ts';

forEachEngine((engine) => {
  describe('the store of webhook deliveries', () => {
    let desk: DeliveryDesk;
    beforeEach(async () => {
      desk = new DeliveryDesk(await engine.open());
    });

    it('queues a delivery for each active webhook that subscribed to the event, and for no other', async () => {
      const all = await desk.webhook();
      const some = await desk.webhook(['commission.added', 'payout.paid']);
      const disabled = await desk.webhook();
      await desk.setStatus(disabled, 'disabled');
      await desk.happen();
      await desk.happen(1, { type: 'commission.added' });
      await desk.happen(1, { kind: 'api_key_created', type: null, data: null });
      const events = async (id: number) => (await desk.log(id)).map(({ event }) => event);
      expect(await events(all)).to.deep.equal(['commission.added', 'referral.created']);
      expect(await events(some)).to.deep.equal(['commission.added']);
      expect(await events(disabled)).to.deep.equal([]);
    });

    it('queues no delivery for an event that is rolled back', async () => {
      const id = await desk.webhook();
      const failing = desk.write(async ({ events }) => {
        await events.record(newEvent());
        throw new Error('no');
      });
      await failing.catch(() => {});
      expect(await desk.log(id)).to.deep.equal([]);
      expect(await desk.nextDueAt()).to.equal(null);
    });

    it('queues deliveries of 3,000 events with as many statements as of one, and with one statement where no webhook is active', async () => {
      const statements: string[] = [];
      desk = new DeliveryDesk(await engine.open({ onStatement: (sql) => statements.push(sql) }));
      const aboutWebhooks = async (count: number): Promise<number> => {
        statements.length = 0;
        await desk.happen(count);
        return statements.filter((sql) => /webhook|settings/.test(sql)).length;
      };
      expect(await aboutWebhooks(1)).to.equal(1);
      const id = await desk.webhook();
      expect([await aboutWebhooks(1), await aboutWebhooks(3000)]).to.deep.equal([3, 3]);
      expect((await desk.read((stores) => listDeliveries(stores, id, { page: 1, perPage: 1 }))).total).to.equal(3001);
    });

    it('allows one worker to claim a delivery, and another one once the lease is over', async () => {
      const id = await desk.webhook();
      await desk.happen();
      const first = await desk.claimOne();
      expect(first).to.deep.include({ webhookId: id, url: 'https://books.example/hook', event: 'referral.created', attempt: 1 });
      expect(first.data).to.deep.equal({ order_id: 0 });
      expect(await desk.claim()).to.deep.equal([]);
      expect(await desk.nextDueAt()).to.equal(desk.now + 30_000);
      desk.now += 30_000;
      const second = await desk.claimOne();
      expect(second).to.deep.include({ id: first.id, attempt: 1 });
      await desk.settle(second, answered(204));
      expect((await desk.log(id)).map(({ status, attempts }) => [status, attempts.length])).to.deep.equal([['delivered', 1]]);
    });

    it('ignores the outcome of a worker whose delivery another worker has claimed since', async () => {
      const id = await desk.webhook();
      await desk.happen();
      const first = await desk.claimOne();
      desk.now += 30_000;
      const second = await desk.claimOne();
      await desk.settle(first, answered(410));
      await desk.settle(second, answered(204));
      await desk.settle(first, answered(410));
      expect(await desk.state(id)).to.include({ status: 'active', failures: 0 });
      expect((await desk.log(id)).map(({ status, attempts }) => [status, attempts.length])).to.deep.equal([['delivered', 1]]);
    });

    it('releases deliveries that were claimed and not attempted', async () => {
      await desk.webhook();
      await desk.happen();
      const claimed = await desk.claim();
      await desk.write((transaction) => releaseDeliveries(transaction, claimed, desk.now));
      expect((await desk.claim()).map(({ id, attempt }) => [id, attempt])).to.deep.equal(claimed.map(({ id }) => [id, 1]));
    });

    it('claims deliveries of other webhooks beside a webhook with 200 waiting ones', async () => {
      const busy = await desk.webhook();
      await desk.happen(200);
      desk.now += 1;
      const late = await desk.webhook(['commission.added']);
      await desk.happen(3, { type: 'commission.added' });
      const ofEach = (claimed: readonly ClaimedDelivery[]) =>
        [busy, late].map((id) => claimed.filter(({ webhookId }) => webhookId === id).length);
      expect(ofEach(await desk.claim({ limit: 6 }))).to.deep.equal([3, 3]);
      expect(ofEach(await desk.claim({ inFlight: new Map([[busy, 3]]) }))).to.deep.equal([2, 0]);
      expect(await desk.claim({ inFlight: new Map([[busy, 5]]) })).to.deep.equal([]);
      expect(await desk.nextDueAt(new Map([[busy, 5]]))).to.equal(desk.now + 30_000);
      expect(await desk.nextDueAt()).to.equal(start);
    });

    it('allows concurrent workers to claim each delivery once', async () => {
      const url = await engine.freshUrl();
      const workers = [];
      for (let made = 0; made < 3; made += 1) workers.push(new DeliveryDesk(await engine.open({ url })));
      const [first] = workers;
      for (let made = 0; made < 4; made += 1) await first?.webhook();
      await first?.happen(20);
      const taken: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const claims = await Promise.all(workers.map((worker) => worker.claim()));
        taken.push(...claims.flat().map(({ id }) => id));
      }
      expect(new Set(taken).size).to.equal(taken.length);
      expect(taken.length).to.be.at.least(60);
    });

    it('deletes deliveries with their webhook, also those in flight', async () => {
      const url = await engine.freshUrl();
      desk = new DeliveryDesk(await engine.open({ url }));
      const id = await desk.webhook();
      await desk.happen(2);
      const claimed = await desk.claimOne();
      await desk.settle(await desk.claimOne(), answered(500));
      await desk.write(({ webhooks }) => webhooks.remove(id));
      await desk.settle(claimed, answered(500));
      const { query } = await engine.observe(url);
      const left = ['webhook_health', 'webhook_deliveries', 'webhook_attempts'].map(
        (table) => `select '${table}' as left_in from ${table}`,
      );
      expect(await query(left.join(' union all '))).to.deep.equal([]);
      expect(await desk.nextDueAt()).to.equal(null);
    });
  });
});
