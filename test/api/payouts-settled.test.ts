import { expect } from 'chai';
import type { SiteModule } from '../../site/extension.ts';
import { prepareFaults } from '../faults/failing-writes.ts';
import { type Observer, onAnyEngine } from '../support/engines.ts';
import { canary, openPayoutStore, type PayoutStore } from '../support/payouts.ts';

type Bank = NonNullable<SiteModule['gateways']>[string];

onAnyEngine((engine) => {
  describe('a payout after its gateway has answered', () => {
    let store: PayoutStore;
    let observer: Observer;

    const open = async (bank: Bank): Promise<void> => {
      store = await openPayoutStore(engine, { siteModule: { gateways: { bank } } });
      observer = await engine.observe(store.service.databaseUrl);
      await store.set('payouts.auto_accept.enabled', true);
      await store.set('payouts.auto_accept.gateway', 'bank');
    };
    /** Who did what, in the change feed and in the ledger. */
    const deeds = async () => {
      const events = await observer.query<{ what: string; user_id: unknown }>(
        "select kind as what, user_id from events where kind in ('payout_request', 'payout_paid') order by id",
      );
      const moves = await observer.query<{ what: string; user_id: unknown }>(
        "select note as what, user_id from ledger where reason = 'payout' order by id",
      );
      return [...events, ...moves].map(({ what, user_id }) => `${what} by ${Number(user_id)}`);
    };

    it('names the caller as the one who requested it, and the system, for the gateway, as the one who paid it', async () => {
      await open(async () => ({ status: 'paid' }));
      const { body } = await store.request();
      expect(new Set(await deeds())).to.deep.equal(
        new Set([
          `payout_request by ${store.user.id}`,
          'payout_paid by 0',
          `Payout ${body.id}: requested → processing by ${store.user.id}`,
          `Payout ${body.id}: processing → paid by 0`,
        ]),
      );
    });

    it('stays with the gateway where the result cannot be written: the log has the result, and it is not sent again', async () => {
      let payments = 0;
      await open(async () => {
        payments += 1;
        await observer.query("insert into faults (name) values ('payouts update')");
        return { status: 'paid', transactionId: 'tx-9' };
      });
      await prepareFaults(engine, observer);
      const { status, body } = await store.request();
      expect([status, body.status, body.gateway_triggered]).to.deep.equal([201, 'created', true]);
      expect(body.gateway_notice).to.equal('The answer of the gateway could not be recorded.');
      const lines = store.service.log.join('');
      expect(lines).to.contain(`payout ${body.id}: the gateway said paid (transaction \\"tx-9\\"), which could not be written`);
      expect(lines).to.not.contain(canary);
      await observer.query('delete from faults');
      const rows = await observer.query<{ status: string }>('select status from payouts');
      expect([rows.map((row) => row.status), await store.pools()]).to.deep.equal([['processing'], { unpaid: 0, pending: 100, paid: 0 }]);
      expect([(await store.request()).headers.get('X-Svc-Existing'), payments]).to.deep.equal(['1', 1]);
    });

    it('is pending and was not sent where its destination cannot be decrypted, and the log says why', async () => {
      await open(async () => expect.fail('the gateway was called'));
      await observer.query("update payout_details set encrypted_details = 'v1:AAAA'");
      const { body } = await store.request();
      expect([body.status, body.gateway_triggered, body.transaction_id]).to.deep.equal(['pending', false, '']);
      expect(body.gateway_notice).to.contain('could not be read');
      expect(store.service.log.join('')).to.contain(`payout ${body.id} was not handed to the gateway`);
    });

    it('is paid without a destination where the store requires none', async () => {
      const told: unknown[] = [];
      await open(async ({ details, methodType }) => {
        told.push({ details, methodType });
        return { status: 'paid' };
      });
      await observer.query('delete from payout_details');
      await store.set('payouts.details_required', false);
      expect((await store.request()).body.status).to.equal('paid');
      expect(told).to.deep.equal([{ details: {}, methodType: '' }]);
    });
  });
});
