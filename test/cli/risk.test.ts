import path from 'node:path';
import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { payoutDetails } from '../support/program.ts';
import { masterKey, TestClock } from '../support/service.ts';
import { type CommandOutcome, Machine } from './machine.ts';

forEachEngine((engine) => {
  describe('the commands of the add-on risk', function () {
    this.timeout(60_000);
    let store: PayoutStore;
    let machine: Machine;
    before(async () => {
      const clock = new TestClock(Date.now() - 3_600_000);
      store = await openPayoutStore(engine, { clock, settings: { 'addons.risk': true } });
      machine = new Machine({ DATABASE_URL: store.service.databaseUrl, MASTER_KEY: masterKey });
    });

    it('affiliate payout file leaves out details that were replaced shortly before the request, and --despite-signals includes them', async () => {
      (store.service.clock as TestClock).advance(600);
      const details = { userId: store.user.id, method: 'PayPal', methodType: 'paypal' as const, details: { email: 'thief@bank.example' } };
      await payoutDetails(store.service, details);
      (store.service.clock as TestClock).advance(600);
      const { body: payout } = await store.request();
      const file = ['payout', 'file', '--format', 'paypal', '--out', path.join(machine.folder, 'paypal.csv'), '--json'];
      const [careful, changes, signals] = (await machine.runSeries([
        { args: file },
        { args: [...file, '--despite-changes'] },
        { args: [...file, '--despite-signals'] },
      ])) as [CommandOutcome, CommandOutcome, CommandOutcome];
      const reason = 'The payout details were replaced within 72 hours before the request: --despite-signals includes the payout.';
      for (const { out } of [careful, changes])
        expect(JSON.parse(out)).to.deep.include({ batch: null, left_out: [{ payout_id: payout.id, reason }] });
      expect(JSON.parse(signals.out)).to.deep.include({ count: 1, left_out: [] });
    });
  });
});
