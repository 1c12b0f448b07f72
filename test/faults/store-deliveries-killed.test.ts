import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import { Machine } from '../cli/machine.ts';
import { type RunningService, startService } from '../cli/running-service.ts';
import { shopifyOrder } from '../connectors/payloads.ts';
import { forEngineOrAll, type Observer } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { seededRandom } from '../support/random.ts';
import { masterKey, TestClock, TestService } from '../support/service.ts';

// The service, killed by SIGKILL while a shop sends signed webhooks, which repeats those that were not acknowledged. PROVE_DELIVERIES: how
// many on each engine; there is a kill for every hundred.
const numberOfDeliveries = Number(process.env['PROVE_DELIVERIES'] ?? 100);
const numberOfKills = Math.ceil(numberOfDeliveries / 100);
const concurrency = 16;
const secret = 'a secret of the shop';

interface Delivery {
  orderId: number;
  topic: 'orders/create' | 'orders/paid';
  body: string;
}

/** Two of each order, in any order. */
function deliveriesOf(random: { below(bound: number): number }): Delivery[] {
  const deliveries = Array.from({ length: numberOfDeliveries }, (_, index): Delivery => {
    const orderId = 1 + Math.floor(index / 2);
    const [topic, at] = index % 2 === 0 ? (['orders/create', '10:31:07'] as const) : (['orders/paid', '10:32:00'] as const);
    const changed = { id: orderId, updated_at: `2026-10-05T${at}Z`, financial_status: index % 2 === 0 ? 'pending' : 'paid' };
    return { orderId, topic, body: JSON.stringify(shopifyOrder(changed)) };
  });
  return deliveries
    .map((delivery) => ({ delivery, at: random.below(1_000_000) }))
    .sort((one, other) => one.at - other.at)
    .map(({ delivery }) => delivery);
}

forEngineOrAll('postgres', process.env['PROVE_DELIVERIES'] !== undefined, (engine) => {
  describe('a service that is killed while a shop sends its orders', function () {
    this.timeout(180_000 + numberOfKills * 15_000);
    const seed = Date.now() % 100_000;
    let machine: Machine;
    let observer: Observer;
    let service: TestService;
    let path = '';
    let running: RunningService | undefined;
    before(async () => {
      const databaseUrl = await engine.freshUrl();
      machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
      observer = await engine.observe(databaseUrl);
      service = await (await TestService.start({ databaseUrl, clock: new TestClock(Date.now()) })).withoutLimits();
      await service.settings.set('store.currency', 'EUR');
      await service.settings.set('addons.store', true);
      await coupon(service, 'FIRST10', { userId: (await service.user('owner', 'affiliate')).id });
      const context = { now: Date.now(), random: systemRandom, secrets: createSecrets('store_secret', masterKey, systemRandom) };
      const connection = await service.storage.write((transaction) =>
        connectStore(transaction, { platform: 'shopify', name: '', secret }, context),
      );
      path = `/connect/${connection.id}`;
    });
    after(async () => {
      running?.child.kill('SIGKILL');
      await service?.stop();
    });

    const answers: Record<string, number> = {};
    /** Returns whether it was acknowledged. */
    const send = async (origin: string, { topic, body }: Delivery): Promise<boolean> => {
      const signature = createHmac('sha256', secret).update(body).digest('base64');
      const headers = { 'X-Shopify-Topic': topic, 'X-Shopify-Hmac-Sha256': signature };
      try {
        const response = await fetch(origin + path, { method: 'POST', body, headers });
        const { outcome } = (await response.json()) as { outcome: string };
        const answer = `${response.status} ${outcome}`;
        answers[answer] = (answers[answer] ?? 0) + 1;
        return response.status === 200;
      } catch {
        return false;
      }
    };
    const expectStored = async (acknowledged: readonly Delivery[]): Promise<void> => {
      const rows = await observer.query<{ order_id: unknown; status: string; commission_minor: unknown }>('select * from orders');
      const found = new Map(rows.map((row) => [Number(row.order_id), row]));
      const isStored = ({ orderId, topic }: Delivery): boolean =>
        topic === 'orders/create' ? found.has(orderId) : found.get(orderId)?.status === 'completed';
      expect(
        acknowledged.filter((delivery) => !isStored(delivery)),
        'acknowledged and lost',
      ).to.deep.equal([]);
      const [logged] = await observer.query<{ n: unknown }>("select count(*) as n from store_deliveries where outcome <> 'refused'");
      expect(Number(logged?.n)).to.be.at.least(acknowledged.length);
    };

    it(`${numberOfKills} times during ${numberOfDeliveries} deliveries loses nothing acknowledged and doubles nothing (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const queue = deliveriesOf(random);
      const acknowledged: Delivery[] = [];
      for (let run = 0; queue.length > 0; run += 1) {
        const current = await startService(machine);
        running = current;
        const isLastRun = run >= numberOfKills;
        const killAt = acknowledged.length + 1 + random.below(Math.ceil(numberOfDeliveries / (numberOfKills + 1)));
        let isKilled = false;
        const worker = async (): Promise<void> => {
          for (let delivery = queue.shift(); delivery; delivery = isKilled ? undefined : queue.shift()) {
            if (await send(current.url, delivery)) acknowledged.push(delivery);
            else queue.push(delivery);
            if (isLastRun || isKilled || acknowledged.length < killAt) continue;
            isKilled = true;
            // Somewhere between the arrival of the others and their answer.
            await pause(random.below(6));
            current.child.kill('SIGKILL');
          }
        };
        await Promise.all(Array.from({ length: concurrency }, worker));
        if (!isLastRun) {
          current.child.kill('SIGKILL');
          await current.ended;
        }
        await expectStored(acknowledged);
      }
      const orders = numberOfDeliveries / 2;
      const [counts] = await observer.query<Record<string, unknown>>(`
        select (select count(*) from orders where status = 'completed' and commission_minor = 1618) as completed,
          (select count(*) from orders) as orders, (select count(*) from events where kind = 'referral') as referrals`);
      const numbers = Object.fromEntries(Object.entries(counts ?? {}).map(([name, count]) => [name, Number(count)]));
      expect(numbers).to.deep.equal({ completed: orders, orders, referrals: orders });
      expect(Object.keys(answers).filter((answer) => !/^200 (created|updated|unchanged)$/.test(answer))).to.deep.equal([]);
      running?.child.kill('SIGTERM');
      expect((await running?.ended)?.code).to.equal(0);
      expect(await machine.json('ledger', 'verify')).to.include({ ok: true });
      console.log(`        ${numberOfKills} kills, ${acknowledged.length} deliveries acknowledged: ${JSON.stringify(answers)}`);
    });
  });
});
