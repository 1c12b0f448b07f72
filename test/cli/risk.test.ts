import path from 'node:path';
import { expect } from 'chai';
import { undecided } from '../../domain/risk/signal.ts';
import { onAnyEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { payoutDetails } from '../support/program.ts';
import { masterKey, TestClock } from '../support/service.ts';
import { type CommandOutcome, Machine } from './machine.ts';

onAnyEngine((engine) => {
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

    it('affiliate risk list shows the newest 1,000 signals, and how many there are', async () => {
      const about = {
        kind: 'debt',
        severity: 'high',
        userId: store.user.id,
        couponId: null,
        status: 'confirmed',
        openedAt: 1,
        lastSeenAt: 1,
      } as const;
      const signal = { ...about, count: 1, text: 'A debt.', evidence: [], ...undecided };
      await store.service.storage.write(async ({ riskSignals }) => {
        for (let number = 0; number < 1001; number += 1) await riskSignals.insert(signal);
      });
      const [text, json] = (await machine.runSeries([
        { args: ['risk', 'list', '--status', 'confirmed'] },
        { args: ['risk', 'list', '--status', 'confirmed', '--json'] },
      ])) as [CommandOutcome, CommandOutcome];
      expect(text.out).to.match(/These are the newest 1,000 of 1,001 signals\.\n$/);
      expect(JSON.parse(json.out)).to.have.lengthOf(1000);
    });
  });
});
