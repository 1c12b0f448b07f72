import { expect } from 'chai';
import { checkDatabase } from '../../cli/doctor/database.ts';
import type { Database } from '../../db/database.ts';
import { type Configuration, readConfiguration } from '../../server/configuration.ts';
import { forEachEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { masterKey } from '../support/service.ts';
import { subscribed } from '../support/webhooks.ts';

forEachEngine((engine) => {
  describe('the doctor, of a program that runs', () => {
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

    it('finds nothing where all is well, and says what it looked at', async () => {
      await store.service.work();
      const checks = await checkDatabase(configuration, now());
      expect(checks.filter(({ state }) => state !== 'ok')).to.deep.equal([]);
      const names = checks.map(({ name }) => name);
      expect(names).to.include.members(['database', 'migrations', 'administrator', 'settings', 'secrets', 'outbox', 'ledger']);
      expect(names.includes('time')).to.equal(engine.name === 'postgres');
    });

    it('finds payout details that its master key does not open', async () => {
      const [only] = await found(0, { ...configuration, masterKey: 'another key that is long enough for it' });
      expect(only).to.match(/^problem: The payout details of all affiliates cannot be read\. Set MASTER_KEY/);
    });

    it('finds webhooks that fail, and those that are disabled, with the last error', async () => {
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

    it('finds mails that were given up, and what should have left long ago', async () => {
      await store.affiliate.post('/payouts', { json: { coupon_id: store.couponId } });
      const [late] = await found(11 * 60_000);
      expect(late).to.match(/^warning: Mails wait since .* \(1 in all\)\. Is a service or an affiliate worker running/);
      const observer = await engine.observe(store.service.databaseUrl);
      await observer.query("update mails set next_at = null, last_error = '550 no such user'");
      const [givenUp] = await found(11 * 60_000);
      expect(givenUp).to.equal(
        'warning: Mails that were given up: 1. The last one (1) because of: 550 no such user They are not sent again; look at SMTP_URL and at their addresses.',
      );
    });

    it('finds settings that contradict each other', async () => {
      await store.set('payouts.auto_accept.enabled', true);
      // Of a site module that is no longer there: to set it would be refused.
      await database().write(({ settings }) => settings.set('payouts.auto_accept.gateway', 'bank'));
      await store.set('commission.percent', 0);
      expect(await found()).to.deep.equal([
        'problem: payouts.auto_accept.gateway is "bank", and there is no such gateway. There are manual, log; a site module can bring others.',
        'warning: commission.percent and both fixed amounts are 0: only coupons with terms of their own earn.',
      ]);
    });

    it('finds a balance that is not what its movements say', async () => {
      const observer = await engine.observe(store.service.databaseUrl);
      await observer.query('update coupons set paid_minor = paid_minor + 1');
      expect(await found()).to.deep.equal([
        'problem: Balances that are not what their movements say: 1. Run affiliate ledger verify, and keep a backup of today.',
      ]);
      await observer.query('update coupons set paid_minor = paid_minor - 1');
    });
  });
});
