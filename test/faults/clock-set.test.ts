import { expect } from 'chai';
import { queueMail } from '../../domain/mail/mail-queue.ts';
import { clearDueCommissions } from '../../server/jobs/commission-clearing-job.ts';
import { mailsOf } from '../support/applications.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { forEachEngine } from '../support/engines.ts';
import { recordReferrals, webhooksTo } from '../support/load.ts';
import { createEarner, earn } from '../support/payouts.ts';
import { sampleMail } from '../support/sample-mail.ts';
import { TestClock, TestService } from '../support/service.ts';
import { receiver } from '../support/webhooks.ts';

const hours = 3600;
const password = 'a long enough password';

// The clock of the machine is set by hours while the service runs: waits do not become longer, and nothing happens twice.
forEachEngine((engine) => {
  describe('a system clock that is set', () => {
    let clock: TestClock;
    let service: TestService;
    let admin: ContractClient;
    beforeEach(async () => {
      clock = new TestClock();
      service = await TestService.start({ databaseUrl: await engine.freshUrl(), clock, env: { ENVIRONMENT: 'local' } });
      admin = await service.client(
        (await service.key(await service.user('admin', 'administrator', { password }), ['read', 'write', 'manage'])).headers,
      );
    });
    afterEach(() => service.stop());

    it('back by hours extends no rate limit beyond one window', async () => {
      await service.settings.set('limits.authenticated', 3);
      for (let call = 0; call < 3; call += 1) await admin.get('/me');
      expect((await admin.get('/me')).status).to.equal(429);
      clock.advance(-5 * hours);
      // The limit still applies, or setting the clock would bypass it.
      expect((await admin.get('/me')).status).to.equal(429);
      clock.advance(61);
      expect((await admin.get('/me')).status).to.equal(200);
    });

    it('back by hours extends no lockout beyond its duration', async () => {
      await service.settings.set('lockout.max_failures', 2);
      const attacker = await service.client({ Authorization: 'Bearer svc_0000000000000000000000000000000000000000' });
      for (let call = 0; call < 3; call += 1) await attacker.get('/me');
      clock.advance(-5 * hours);
      const locked = await attacker.get('/me');
      expect(locked.status).to.equal(429);
      expect(Number(locked.headers.get('Retry-After'))).to.be.at.most(15 * 60);
      clock.advance(15 * 60 + 1);
      expect((await attacker.get('/me')).status).to.equal(401);
    });

    it('back by hours delays no webhook and no mail, and sends none twice', async () => {
      const webhooks = await receiver();
      try {
        await webhooksTo(service.storage, [webhooks.url], clock.now());
        await recordReferrals(service.storage, [1, 2, 3], clock.now());
        const { id: _, ...mail } = sampleMail({ createdAt: clock.now() });
        await service.storage.write((transaction) => queueMail(transaction, mail));
        clock.advance(-5 * hours);
        await service.work();
        clock.advance(2);
        await service.work();
        expect(webhooks.received).to.have.length(3);
        expect(await mailsOf(service)).to.have.length(1);
        clock.advance(10 * hours);
        await service.work();
        expect([webhooks.received.length, (await mailsOf(service)).length]).to.deep.equal([3, 1]);
      } finally {
        await webhooks.close();
      }
    });

    it('back by hours ends the leases of a dead worker after the length of a lease', async () => {
      const webhooks = await receiver();
      try {
        await webhooksTo(service.storage, [webhooks.url], clock.now());
        await recordReferrals(service.storage, [1], clock.now());
        const limits = { limit: 5, perWebhook: 5, inFlight: new Map<number, number>() };
        const claim = { now: clock.now(), leasedUntil: clock.now() + 30_000, nextProbeAt: clock.now() + 60_000, ...limits };
        expect(await service.storage.write(({ deliveries }) => deliveries.claim(claim))).to.have.length(1);
        clock.advance(-5 * hours);
        await service.work();
        expect(webhooks.received).to.have.length(0);
        clock.advance(31);
        await service.work();
        expect(webhooks.received).to.have.length(1);
      } finally {
        await webhooks.close();
      }
    });

    it('back and forth grants commission once, keeps the order of the feed, repeats the response to an Idempotency-Key and leaves a ledger that verifies', async () => {
      const { couponId } = await createEarner(service, 'trail', 100);
      clock.advance(-6 * hours);
      await earn(service, couponId, 100);
      await clearDueCommissions({ storage: service.storage, settings: service.settings, clock });
      const request = () => admin.post('/payouts', { json: { coupon_id: couponId }, headers: { 'Idempotency-Key': 'once' } });
      const first = await request();
      expect(first.status).to.equal(201);
      clock.advance(-6 * hours);
      const second = await request();
      clock.advance(15 * hours);
      const third = await request();
      expect([second.body, third.body]).to.deep.equal([first.body, first.body]);
      await clearDueCommissions({ storage: service.storage, settings: service.settings, clock });
      const feed = (await admin.get<{ id: number }[]>('/events?after=0&per_page=100')).body.map(({ id }) => id);
      expect(feed).to.deep.equal(feed.toSorted((one, other) => one - other));
      expect((await admin.get(`/coupons/${couponId}/stats`)).status).to.equal(200);
      expect((await admin.get('/payouts')).body).to.have.length(1);
    });

    it('back by hours ends no session, and forward past the end of a session ends it', async () => {
      const session = await service.client(await service.session('admin', password));
      clock.advance(-5 * hours);
      expect((await session.get('/me')).status).to.equal(200);
      clock.advance(24 * 365 * hours);
      expect((await session.get('/me')).status).to.equal(401);
    });
  });
});
