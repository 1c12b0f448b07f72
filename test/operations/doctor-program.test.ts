import { expect } from 'chai';
import { checkDatabase } from '../../cli/doctor/database.ts';
import type { Database } from '../../db/database.ts';
import { sealLedger } from '../../domain/ledger/seal-ledger.ts';
import { createStoredKeys, openSealingKey } from '../../domain/master-key/key-ownership.ts';
import { type Configuration, readConfiguration } from '../../server/configuration.ts';
import { mainlyOn } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { masterKey } from '../support/service.ts';
import { subscribed } from '../support/webhooks.ts';

mainlyOn('sqlite', (engine) => {
  describe('affiliate doctor, about a running program', () => {
    let store: PayoutStore;
    let configuration: Configuration;
    beforeEach(async () => {
      store = await openPayoutStore(engine);
      await store.set('store.name', 'Fjell');
      await store.set('store.url', 'https://fjell.example');
      configuration = readConfiguration({ DATABASE_URL: store.service.databaseUrl, MASTER_KEY: masterKey, ENVIRONMENT: 'local' });
    });
    afterEach(() => store.service.stop());

    const now = (): number => store.service.clock.now();
    const database = (): Database => store.service.storage;
    const found = async (later = 0, given = configuration): Promise<string[]> =>
      (await checkDatabase(given, now() + later)).filter(({ state }) => state !== 'ok').map((check) => `${check.state}: ${check.message}`);

    it('reports nothing in a healthy program, and lists its checks', async () => {
      await store.service.work();
      const checks = await checkDatabase(configuration, now());
      expect(checks.filter(({ state }) => state !== 'ok')).to.deep.equal([]);
      const names = checks.map(({ name }) => name);
      expect(names).to.include.members(['database', 'migrations', 'administrator', 'settings', 'secrets', 'outbox', 'ledger']);
      expect(names.includes('time')).to.equal(engine.name === 'postgres');
    });

    it('reports payout details that the master key cannot decrypt', async () => {
      const [only] = await found(0, { ...configuration, masterKey: 'another key that is long enough for it' });
      expect(only).to.match(/^problem: The payout details of all affiliates cannot be decrypted\. Set MASTER_KEY/);
    });

    it('reports failing and disabled webhooks with the last error', async () => {
      await subscribed(store.admin, 'http://127.0.0.1:1/hook');
      await store.earn(1);
      await store.service.work();
      const [failing] = await found();
      expect(failing).to.match(
        /^warning: Webhook 1 \(127\.0\.0\.1:1\) failed \d+ times in a row\. The last error: .+ See affiliate webhook deliveries 1\.$/,
      );
      await database().write(({ webhooks }) => webhooks.setStatus(1, 'disabled'));
      expect((await found())[0]).to.match(/^warning: Webhook 1 .* is disabled and gets nothing\..* Set its status to active/);
    });

    it('reports neither a failed test delivery nor deliveries held back for a dead receiver, but those whose probe is late', async () => {
      await subscribed(store.admin, 'http://127.0.0.1:1/hook');
      expect((await store.admin.post('/webhooks/1/test')).body.code).to.equal('svc_api_delivery_failed');
      await store.earn(1);
      const observer = await engine.observe(store.service.databaseUrl);
      const dueAt = now() - 3_600_000;
      await observer.query(`update webhook_deliveries set due_at = ${dueAt} where status = 'pending'`);
      await observer.query(`update webhook_health set failures = 30, next_probe_at = ${now() + 60_000}`);
      expect(await found())
        .to.have.length(1)
        .and.to.match(/failed 30 times in a row/);
      const late = (await found(12 * 60_000)).filter((message) => message.includes('Deliveries'));
      expect(late.join()).to.match(/^warning: Deliveries to webhooks have been waiting since/);
    });

    it('reports mails that failed permanently, and mails that are late', async () => {
      await store.affiliate.post('/payouts', { json: { coupon_id: store.couponId } });
      const [late] = await found(11 * 60_000);
      expect(late).to.match(/^warning: Mails have been waiting since .* \(1 in all\)\. Is a service or an affiliate worker running/);
      const observer = await engine.observe(store.service.databaseUrl);
      await observer.query("update mails set next_at = null, last_error = '550 no such user'");
      const [givenUp] = await found(11 * 60_000);
      expect(givenUp).to.equal(
        'warning: Mails that failed for good: 1. The last one (1): 550 no such user They are not sent again; check SMTP_URL and their addresses.',
      );
    });

    it('reports settings that contradict each other', async () => {
      await store.set('payouts.auto_accept.enabled', true);
      // Stored directly: the setting would reject a gateway that does not exist.
      await database().write(({ settings }) => settings.set('payouts.auto_accept.gateway', 'bank'));
      await store.set('commission.percent', 0);
      expect(await found()).to.deep.equal([
        'problem: payouts.auto_accept.gateway is "bank", and there is no such gateway. There are manual, log; a site module can add others.',
        'warning: commission.percent and both fixed amounts are 0: only coupons with rates of their own earn.',
      ]);
    });

    it('reports that people cannot join or set a password while the address of the service is unknown', async () => {
      const advice = 'Run affiliate settings set service.url with the address of this service.';
      await store.set('registration.open', true);
      await store.set('addons.management', true);
      expect(await found()).to.deep.equal([
        `warning: registration.open is on, but service.url is empty: the page for applications is closed. ${advice}`,
        `warning: service.url is empty: mails have no links to set or reset a password. ${advice}`,
      ]);
      await store.set('service.url', 'https://program.example');
      expect(await found()).to.deep.equal([]);
      await store.set('service.url', 'http://localhost:8080');
      expect(await found(0, { ...configuration, environment: 'production' })).to.deep.equal([
        `warning: service.url is http://localhost:8080, which works on this machine only: links in mails lead nowhere for others. ${advice}`,
      ]);
    });

    it('reports a ledger that was not sealed for three days, and a sealing key that was replaced', async () => {
      const { sealing_key: stored } = createStoredKeys(masterKey);
      await database().write(({ masterKeys }) => masterKeys.leaveKey('sealing_key', stored));
      await store.service.work();
      const day = 86_400_000;
      expect(await found(2 * day)).to.deep.equal([]);
      expect(await found(4 * day)).to.deep.equal([
        'warning: The ledger was not sealed for 4 days. Start the service, look into its log, or run affiliate ledger head.',
      ]);
      await sealLedger({ storage: database(), key: openSealingKey(stored, masterKey), now: now() });
      expect(await found(4 * day)).to.deep.equal([]);
      const replace = (key: string) => database().write(({ masterKeys }) => masterKeys.replaceEncrypted('sealing_key', 'sealing_key', key));
      await replace(createStoredKeys(masterKey).sealing_key);
      expect(await found()).to.deep.equal([
        'problem: The sealing key is not the one that signed the last seal: it was replaced. Run affiliate ledger verify.',
      ]);
      await replace(stored);
    });

    it('reports a balance that is not the sum of its movements', async () => {
      const observer = await engine.observe(store.service.databaseUrl);
      await observer.query('update coupons set paid_minor = paid_minor + 1');
      expect(await found()).to.deep.equal([
        'problem: Balances that are not the sum of their movements: 1. Run affiliate ledger verify, and keep a backup from today.',
      ]);
      await observer.query('update coupons set paid_minor = paid_minor - 1');
    });
  });
});
