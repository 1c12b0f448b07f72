import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { systemRandom } from '../../domain/random.ts';
import { claimDeliveries, nextDueAt, releaseDeliveries } from '../../domain/webhooks/claim.ts';
import type { ClaimedDelivery } from '../../domain/webhooks/delivery.ts';
import { forgetOldDeliveries, listDeliveries, replayDelivery } from '../../domain/webhooks/log.ts';
import type { Outcome } from '../../domain/webhooks/sending.ts';
import { settleDelivery } from '../../domain/webhooks/settle.ts';
import { forEachEngine } from '../support/engines.ts';
import { newEvent, savedUser } from './samples.ts';

const minute = 60_000;
const day = 86_400_000;
const start = 1_760_000_001_000;

const answered = (code: number, retryAfter: string | null = null): Outcome => ({ kind: 'answered', code, retryAfter, excerpt: 'ok', milliseconds: 3 });
const timedOut: Outcome = { kind: 'failed', failure: 'timeout', message: 'The receiver did not answer within 8 seconds.', milliseconds: 8000 };

forEachEngine((engine) => {
  describe('deliveries', () => {
    let database: Database;
    let now: number;
    beforeEach(async () => {
      database = await engine.open();
      now = start;
    });

    const webhook = async (events = ['*']): Promise<number> => {
      const made = { name: 'Books', url: 'https://books.example/hook', events, encryptedSecret: 'sealed', createdBy: 1, createdAt: start };
      return (await database.write(({ webhooks }) => webhooks.insert(made))).id;
    };
    const happen = (count = 1, type: 'referral.created' | 'commission.added' = 'referral.created') =>
      database.write(async ({ events }) => {
        for (let told = 0; told < count; told += 1) await events.record(newEvent({ type, data: { order_id: told }, at: now }));
      });
    const claim = (given: { limit?: number; inFlight?: ReadonlyMap<number, number>; by?: Database } = {}) =>
      (given.by ?? database).write((transaction) =>
        claimDeliveries(transaction, { now, leaseMilliseconds: 30_000, limit: 50, perWebhook: 5, inFlight: new Map(), ...given }),
      );
    const settle = (claimed: ClaimedDelivery, outcome: Outcome) =>
      database.write((transaction) =>
        settleDelivery(transaction, claimed, outcome, {
          now,
          random: systemRandom,
          program: { storeName: 'Fjell', shopUrl: 'https://fjell.example' },
        }),
      );
    const next = (inFlight = new Map<number, number>()) => database.read((stores) => nextDueAt(stores, { perWebhook: 5, inFlight }));
    const log = async (id: number) => (await database.read((stores) => listDeliveries(stores, id, { page: 1, perPage: 100 }))).items;
    const state = (id: number) => database.read(({ webhooks }) => webhooks.byId(id));
    const one = async (): Promise<ClaimedDelivery> => {
      const [claimed] = await claim({ limit: 1 });
      if (!claimed) throw new Error('Nothing was due.');
      return claimed;
    };
    const setStatus = (id: number, status: 'active' | 'disabled') => database.write(({ webhooks }) => webhooks.setStatus(id, status));

    it('are left for each active webhook that subscribed to the event, and for no other', async () => {
      const all = await webhook();
      const some = await webhook(['commission.added', 'payout.paid']);
      const disabled = await webhook();
      await setStatus(disabled, 'disabled');
      await happen();
      await happen(1, 'commission.added');
      await database.write(({ events }) => events.record(newEvent({ kind: 'api_key_created', type: null, data: null })));
      expect((await log(all)).map(({ event }) => event)).to.deep.equal(['commission.added', 'referral.created']);
      expect((await log(some)).map(({ event }) => event)).to.deep.equal(['commission.added']);
      expect(await log(disabled)).to.deep.equal([]);
    });

    it('are of the transaction: what is rolled back is told to nobody', async () => {
      const id = await webhook();
      const failing = database.write(async ({ events, webhooks }) => {
        await events.record(newEvent());
        await webhooks.setEvents(id, ['payout.paid']);
        throw new Error('no');
      });
      await failing.catch(() => {});
      expect(await log(id)).to.deep.equal([]);
      expect(await next()).to.equal(null);
    });

    it('of thousands of events take as many statements as of one', async () => {
      const statements: string[] = [];
      const url = await engine.freshUrl();
      database = await engine.open({ url, onStatement: (sql) => statements.push(sql) });
      const counted = async (count: number): Promise<number> => {
        statements.length = 0;
        await happen(count);
        return statements.length;
      };
      const without = await counted(1);
      const id = await webhook();
      expect(await counted(1)).to.be.at.most(without + 2);
      expect(await counted(3000)).to.equal(await counted(1));
      expect((await database.read((stores) => listDeliveries(stores, id, { page: 1, perPage: 1 }))).total).to.equal(3002);
    });

    it('are claimed by one worker, and by another once the lease is over', async () => {
      const id = await webhook();
      await happen();
      const [first] = await claim();
      expect(first).to.deep.include({ webhookId: id, url: 'https://books.example/hook', event: 'referral.created', attempt: 1, data: { order_id: 0 } });
      expect(await claim()).to.deep.equal([]);
      expect(await next()).to.equal(now + 30_000);
      now += 30_000;
      const second = await one();
      expect(second).to.deep.include({ id: first?.id, attempt: 1 });
      // Whoever comes back too late changes nothing.
      if (first) await settle(first, answered(410));
      expect(await state(id)).to.include({ status: 'active', failures: 0, lastDeliveryAt: null });
      await settle(second, answered(204));
      expect((await log(id)).map(({ status, attempts }) => [status, attempts.length])).to.deep.equal([['delivered', 1]]);
    });

    it('that were claimed and not tried are given back', async () => {
      await webhook();
      await happen();
      const claimed = await claim();
      await database.write((transaction) => releaseDeliveries(transaction, claimed, now));
      expect((await claim()).map(({ id, attempt }) => [id, attempt])).to.deep.equal(claimed.map(({ id }) => [id, 1]));
    });

    it('of one webhook leave room for those of others, however many are waiting', async () => {
      const busy = await webhook();
      await happen(200);
      now += 1;
      const late = await webhook(['commission.added']);
      await happen(3, 'commission.added');
      const ofEach = (claimed: readonly ClaimedDelivery[]) => [busy, late].map((id) => claimed.filter(({ webhookId }) => webhookId === id).length);
      expect(ofEach(await claim({ limit: 6 }))).to.deep.equal([3, 3]);
      expect(ofEach(await claim({ inFlight: new Map([[busy, 3]]) }))).to.deep.equal([2, 0]);
      expect(await claim({ inFlight: new Map([[busy, 5]]) })).to.deep.equal([]);
      expect(await next(new Map([[busy, 5]]))).to.equal(now + 30_000);
      expect(await next()).to.equal(start);
    });

    it('are each claimed once by workers that claim at the same time', async () => {
      const url = await engine.freshUrl();
      database = await engine.open({ url });
      for (let made = 0; made < 4; made += 1) await webhook();
      await happen(20);
      const workers = await Promise.all([1, 2, 3].map(() => engine.open({ url })));
      const taken: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const claims = await Promise.all(workers.map((by) => claim({ by })));
        taken.push(...claims.flat().map(({ id }) => id));
      }
      expect(new Set(taken).size).to.equal(taken.length);
      expect(taken.length).to.be.at.least(60);
    });

    it('are tried seven times, at the steps of the schedule ± 20 %, and then given up', async () => {
      const id = await webhook();
      await happen();
      for (const step of [1, 4, 16, 64, 240, 720]) {
        await settle(await one(), step === 16 ? timedOut : answered(500));
        const dueAt = (await next()) ?? 0;
        expect((dueAt - now) / minute).to.be.within(step * 0.8, step * 1.2);
        now = dueAt;
      }
      await settle(await one(), answered(302));
      expect(await next()).to.equal(null);
      const [delivery] = await log(id);
      expect(delivery).to.include({ status: 'failed', dueAt: null, finishedAt: now });
      expect(delivery?.attempts.map(({ code, failure }) => code ?? failure)).to.deep.equal([500, 500, 'timeout', 500, 500, 500, 302]);
      expect(delivery?.attempts[0]).to.deep.equal({ at: start, code: 500, failure: null, error: 'The receiver answered 500.', excerpt: 'ok', milliseconds: 3 });
    });

    it('wait as long as the receiver asks, up to twice the step, where it is too busy', async () => {
      await webhook();
      const waits = async (outcome: Outcome): Promise<number> => {
        await happen();
        const claimed = await one();
        await settle(claimed, outcome);
        const dueAt = (await next()) ?? 0;
        await database.write(({ deliveries }) => deliveries.forget(now + day * 99, 1000));
        await database.write(async ({ deliveries }) => void (await deliveries.startAnew(claimed.id, now)));
        await settle(await one(), answered(200));
        return (dueAt - now) / 1000;
      };
      expect(await waits(answered(429, '100'))).to.equal(100);
      expect(await waits(answered(503, new Date(now + 90_000).toUTCString()))).to.equal(90);
      expect(await waits(answered(503, '86400'))).to.equal(120);
      for (const odd of [answered(429, '1'), answered(429, '-5'), answered(429, 'soon'), answered(500, '100'), answered(429)])
        expect(await waits(odd)).to.be.within(48, 72);
    });

    it('count the failures in a row, which a success ends', async () => {
      const id = await webhook();
      await happen(3);
      const claimed = await claim();
      for (const failing of claimed.slice(0, 2)) await settle(failing, timedOut);
      expect(await state(id)).to.include({ failures: 2, lastError: 'The receiver did not answer within 8 seconds.', lastDeliveryAt: now });
      for (const fine of claimed.slice(2)) await settle(fine, answered(299));
      expect(await state(id)).to.include({ failures: 0, lastError: '' });
    });

    it('that fail 25 times in a row disable the webhook once, which the feed and a mail to each admin tell', async () => {
      const admins = [await savedUser(database, { role: 'administrator' }), await savedUser(database, { role: 'manager' })];
      await savedUser(database);
      const id = await webhook();
      await happen(30);
      for (let failed = 0; failed < 30; failed += 1) {
        if (failed === 25) expect(await state(id)).to.include({ status: 'disabled', failures: 25 });
        const [claimed] = failed < 24 ? await claim({ limit: 1 }) : last.splice(0, 1);
        if (failed === 23) last.push(...(await claim()));
        if (claimed) await settle(claimed, answered(500));
      }
      const told = await database.read(({ events }) => events.newest({ kinds: ['webhook_disabled'], userId: null }, { page: 1, perPage: 9 }));
      expect(told.items.map(({ objectId, userId, type }) => [objectId, userId, type])).to.deep.equal([[id, 0, null]]);
      const mails = await database.write(({ mails }) => mails.claim({ now: now + 1, leasedUntil: now + 2, limit: 9 }));
      expect(mails).to.have.lengthOf(admins.length);
      expect(await claim()).to.deep.equal([]);
      expect(await next()).to.equal(null);
    });
    const last: ClaimedDelivery[] = [];

    it('that are answered 410 end there, and disable the webhook at once', async () => {
      const id = await webhook();
      await happen(2);
      await settle(await one(), answered(410));
      expect(await state(id)).to.include({ status: 'disabled', failures: 1 });
      expect((await log(id)).map(({ status }) => status)).to.deep.equal(['pending', 'failed']);
    });

    it('wait while their webhook is disabled, and go on when it is active again', async () => {
      const id = await webhook();
      await happen();
      await setStatus(id, 'disabled');
      await happen();
      expect([await claim(), await next()]).to.deep.equal([[], null]);
      await setStatus(id, 'active');
      expect(await claim()).to.have.lengthOf(1);
    });

    it('are replayed under their own number, as if nothing had been tried, also when they had been delivered', async () => {
      const id = await webhook();
      await happen();
      const claimed = await one();
      await settle(claimed, answered(200));
      const replay = (deliveryId: number) => database.write((transaction) => replayDelivery(transaction, deliveryId, now));
      now += day;
      await replay(claimed.id);
      const again = await one();
      expect(again).to.include({ id: claimed.id, attempt: 1 });
      // One that is under way is begun again, and what the first one ends in is not kept.
      await replay(claimed.id);
      await settle(again, answered(500));
      await settle(await one(), answered(201));
      expect((await log(id))[0]?.attempts.map(({ code }) => code)).to.deep.equal([200, 201]);
      await setStatus(id, 'disabled');
      const refusals = await Promise.all([claimed.id, 999, 0].map((which) => replay(which).catch(({ code }) => code)));
      expect(refusals).to.deep.equal(['svc_api_conflict', 'svc_api_not_found', 'svc_api_not_found']);
    });

    it('are forgotten 30 days after they ended, a few at a time, and never while they can still be delivered', async () => {
      const [id, disabled] = [await webhook(), await webhook()];
      await happen(6);
      for (const claimed of (await claim()).filter(({ webhookId }) => webhookId === id)) await settle(claimed, answered(200));
      await setStatus(disabled, 'disabled');
      const forget = (limit: number) => database.write((transaction) => forgetOldDeliveries(transaction, now, limit));
      now = start + 30 * day;
      expect(await forget(100)).to.equal(0);
      now += 31_000;
      expect(await forget(4)).to.equal(4);
      expect(await forget(100)).to.equal(7);
      expect((await log(id)).map(({ status }) => status)).to.deep.equal(['pending']);
      expect(await log(disabled)).to.deep.equal([]);
    });

    it('go with their webhook, also those under way', async () => {
      const id = await webhook();
      await happen();
      const claimed = await one();
      await database.write(({ webhooks }) => webhooks.remove(id));
      await settle(claimed, answered(500));
      const { query } = await engine.observe(await urlOf());
      void query;
      expect(await state(id)).to.equal(null);
      expect(await next()).to.equal(null);
    });
    const urlOf = () => engine.freshUrl();
  });
});
