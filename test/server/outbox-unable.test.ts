import { Writable } from 'node:stream';
import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import type { SendWebhook } from '../../domain/webhooks/delivery.ts';
import { listDeliveries } from '../../domain/webhooks/delivery-queue.ts';
import { createLogger } from '../../server/http/request-log.ts';
import { createWebhookSender } from '../../server/webhooks/send.ts';
import { answered } from '../support/deliveries.ts';
import { onAnyEngine } from '../support/engines.ts';
import { recordReferrals, upTo, webhooksTo } from '../support/load.ts';
import { outboxOn } from '../support/outbox.ts';
import { TestClock } from '../support/service.ts';

const unable = {
  'has another master key': { masterKey: 'another master key, as long as it must be', reason: /MASTER_KEY/ },
  'has other rules for addresses': { environment: 'production', reason: /must be https.*ENVIRONMENT=production/ },
} as const;

onAnyEngine((engine) => {
  describe('a worker', () => {
    let database: Database;
    let clock: TestClock;
    let id: number;
    let log: string[];
    let sent: string[];
    const send: SendWebhook = async ({ url }) => {
      sent.push(url);
      return answered(204);
    };
    beforeEach(async () => {
      [log, sent] = [[], []];
      clock = new TestClock();
      database = await engine.open();
      const [made] = await webhooksTo(database, ['http://127.0.0.1:9/hook'], clock.now());
      id = made?.id ?? 0;
      await recordReferrals(database, upTo(30), clock.now());
    });
    const logger = () =>
      createLogger('info', new Writable({ write: (chunk: Buffer, _encoding, done) => done(void log.push(chunk.toString())) }));
    const webhook = () => database.read(({ webhooks }) => webhooks.byId(id));
    const deliveries = async () => (await database.read((db) => listDeliveries(db, id, { page: 1, perPage: 50 }))).items;

    for (const [what, { reason, ...given }] of Object.entries(unable)) {
      it(`that ${what} counts no failure, logs the reason once a minute, and does not retry in a loop`, async () => {
        const outbox = outboxOn(database, { clock, sendWebhook: send, log: logger(), ...given });
        for (let seconds = 0; seconds < 59; seconds += 1) {
          await outbox.sendAllDue();
          clock.advance(1);
        }
        expect(sent).to.deep.equal([]);
        expect(await webhook()).to.include({ status: 'active', failures: 0, lastError: '', lastDeliveryAt: null });
        const untried = (await deliveries()).filter(({ status, attempts }) => status === 'pending' && attempts.length === 0);
        expect(untried).to.have.length(30);
        expect(log).to.have.length(1);
        expect(log[0]).to.match(reason).and.include('"level":50');
        clock.advance(2);
        await outbox.sendAllDue();
        expect(log).to.have.length(2);
      });

      it(`that ${what} leaves the deliveries to one that can send, which need not wait for a lease`, async () => {
        await outboxOn(database, { clock, sendWebhook: send, ...given }).sendAllDue();
        clock.advance(1);
        await outboxOn(database, { clock, sendWebhook: send }).sendAllDue();
        expect(sent).to.have.length(30);
        expect((await deliveries()).map(({ status, attempts }) => [status, attempts.length])).to.deep.equal(
          upTo(30).map(() => ['delivered', 1]),
        );
      });
    }

    it('counts a failure where a name resolves to an address that is not public', async () => {
      database = await engine.open();
      const [made] = await webhooksTo(database, ['https://hooks.example/'], clock.now());
      await recordReferrals(database, [1], clock.now());
      const { send: guarded } = createWebhookSender({ resolve: async () => ['10.0.0.1'] });
      await outboxOn(database, { clock, sendWebhook: guarded, environment: 'production' }).sendAllDue();
      id = made?.id ?? 0;
      expect(await webhook()).to.include({ failures: 1, lastError: 'The URL must lead to a public address.' });
    });
  });
});
