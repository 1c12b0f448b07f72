import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import { formatSnapshots, Metrics } from '../../server/metrics/metrics.ts';
import { onAnyEngine } from '../support/engines.ts';
import { createEarner } from '../support/payouts.ts';
import { masterKey, TestClock, TestService } from '../support/service.ts';
import { type Receiver, receiver, subscribed } from '../support/webhooks.ts';
import { parseExposition, type ScrapedMetric, valueIn } from './exposition.ts';

onAnyEngine((engine) => {
  describe('the metrics of a running service', () => {
    let service: TestService;
    let metrics: Metrics;
    let clock: TestClock;
    let hooks: Receiver;
    beforeEach(async () => {
      metrics = new Metrics();
      clock = new TestClock();
      hooks = await receiver();
      service = await TestService.start({ databaseUrl: await engine.freshUrl(), metrics, clock });
    });
    afterEach(async () => {
      await service.stop();
      await hooks.close();
    });

    const scrape = async (): Promise<Map<string, ScrapedMetric>> =>
      parseExposition(await formatSnapshots([await metrics.snapshot({ withBacklog: true })]));

    it('count requests by operation and errors by code, and never show paths or tokens of callers', async () => {
      await service.settings.set('lockout.max_failures', 2);
      await service.settings.set('limits.anonymous', 1);
      const wrong = await service.client({ Authorization: `Bearer svc_${'0'.repeat(40)}` });
      for (let index = 0; index < 3; index += 1) await wrong.get('/me');
      const anonymous = await service.client();
      for (let index = 0; index < 3; index += 1) await anonymous.get('/me');
      await anonymous.get('/nowhere/svc_secret?of=stranger');
      const scraped = await scrape();
      expect(valueIn(scraped, 'affiliate_http_requests_total', '{operation="get_me",method="GET",status="4xx"}')).to.be.greaterThan(0);
      const refused = (code: string) => valueIn(scraped, 'affiliate_http_refusals_total', `{code="${code}"}`);
      expect(
        ['svc_api_invalid_key', 'svc_api_too_many_auth_failures', 'svc_api_unauthorized', 'svc_api_rate_limited'].map(refused),
      ).to.deep.equal([2, 1, 1, 3]);
      expect(JSON.stringify([...scraped.values()].map(({ samples }) => [...samples.keys()]))).not.to.match(/nowhere|stranger|svc_secret/);
    });

    it('count the webhooks of the connected shop by their outcome', async () => {
      await service.settings.set('addons.store', true);
      const secrets = createSecrets('store_secret', masterKey, systemRandom);
      const { id } = await service.storage.write((transaction) =>
        connectStore(transaction, { platform: 'shopify', name: '', secret: 'signed' }, { now: 1, random: systemRandom, secrets }),
      );
      const signature = createHmac('sha256', 'signed').update('{}').digest('base64');
      for (const given of [signature, 'wrong'])
        await fetch(`${service.origin}/connect/${id}`, { method: 'POST', body: '{}', headers: { 'X-Shopify-Hmac-Sha256': given } });
      const scraped = await scrape();
      for (const outcome of ['ignored', 'unauthorized'])
        expect(valueIn(scraped, 'affiliate_store_deliveries_total', `{platform="shopify",outcome="${outcome}"}`)).to.equal(1);
    });

    it('show pending, late and given-up mails and deliveries, and the outcomes of gateways', async () => {
      await service.withoutLimits();
      const admin = await service.admin();
      const { id } = await subscribed(admin, hooks.url);
      await service.settings.set('payouts.auto_accept.enabled', true);
      await service.settings.set('payouts.auto_accept.gateway', 'log');
      const { couponId } = await createEarner(service, 'trail', 10);
      await admin.post('/payouts', { json: { coupon_id: couponId } });
      clock.advance(90);

      const waiting = await scrape();
      expect(valueIn(waiting, 'affiliate_gateway_calls_total', '{gateway="log",outcome="paid"}')).to.equal(1);
      expect(valueIn(waiting, 'affiliate_outbox_pending', '{kind="webhooks"}')).to.be.greaterThan(2);
      expect(valueIn(waiting, 'affiliate_outbox_late_seconds', '{kind="webhooks"}')).to.equal(90);
      expect(valueIn(waiting, 'affiliate_outbox_late_seconds', '{kind="mails"}')).to.equal(90);
      expect(valueIn(waiting, 'affiliate_feed_last_event_id')).to.be.greaterThan(0);
      expect(valueIn(waiting, 'affiliate_database_commits_total')).to.be.greaterThan(0);
      expect(valueIn(waiting, 'affiliate_outbox_attempts_total', '{kind="webhooks",outcome="sent"}')).to.equal(0);

      hooks.code = 410;
      await service.work();
      const after = await scrape();
      expect(valueIn(after, 'affiliate_outbox_attempts_total', '{kind="webhooks",outcome="failed"}')).to.be.greaterThan(0);
      expect(valueIn(after, 'affiliate_outbox_attempts_total', '{kind="mails",outcome="sent"}')).to.be.greaterThan(1);
      expect(valueIn(after, 'affiliate_webhooks', '{status="disabled"}')).to.equal(1);
      expect(valueIn(after, 'affiliate_outbox_given_up', '{kind="webhooks"}')).to.be.greaterThan(0);
      expect(valueIn(after, 'affiliate_outbox_pending', '{kind="mails"}')).to.equal(0);
      expect(id).to.be.greaterThan(0);
    });

    it('show a payout as stuck once it has been processing for ten minutes', async () => {
      const observer = await engine.observe(service.databaseUrl);
      const { user, couponId } = await createEarner(service, 'trail', 0);
      await observer.query(
        `insert into payouts (user_id, coupon_id, amount_minor, method, method_type, has_details, status, transaction_id, invoice_id, day, requested_at)
         values (${user.id}, ${couponId}, 5, 'x', 'paypal', 0, 'processing', '', 0, '2026-11-02', ${clock.now()})`,
      );
      expect(valueIn(await scrape(), 'affiliate_payouts_stuck')).to.equal(0);
      clock.advance(601);
      const scraped = await scrape();
      expect(valueIn(scraped, 'affiliate_payouts_processing')).to.equal(1);
      expect(valueIn(scraped, 'affiliate_payouts_stuck')).to.equal(1);
      await observer.query('delete from payouts');
    });

    it('leave out the backlog and report affiliate_database_up 0 while the database is closed', async () => {
      await service.storage.close();
      const scraped = await scrape();
      expect(valueIn(scraped, 'affiliate_database_up')).to.equal(0);
      expect(valueIn(scraped, 'affiliate_http_requests_in_flight')).to.equal(0);
      expect(valueIn(scraped, 'process_resident_memory_bytes')).to.be.greaterThan(1e6);
      expect(scraped.has('affiliate_outbox_pending')).to.equal(false);
    });

    it('count the writes that waited for a database connection', async () => {
      const write = () => service.storage.write(async ({ settings }) => settings.set('store.name', 'Fjell'));
      await Promise.all(Array.from({ length: 20 }, write));
      const scraped = await scrape();
      const read = (name: string) => valueIn(scraped, name, '{queue="writers"}') ?? -1;
      expect(read('affiliate_database_waits_total')).to.be.greaterThan(0);
      expect(read('affiliate_database_wait_seconds_total')).to.be.greaterThan(0);
      expect(read('affiliate_database_queue_length')).to.equal(0);
      const retries = valueIn(scraped, 'affiliate_database_retries_total');
      if (engine.name === 'sqlite') expect(retries).to.equal(0);
      else expect(retries).to.be.greaterThan(0);
    });
  });
});
