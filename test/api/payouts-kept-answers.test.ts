import { expect } from 'chai';
import { openDatabase } from '../../db/database.ts';
import type { SiteModule } from '../../site/extension.ts';
import { forEachEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';

forEachEngine((engine) => {
  describe('the answer to POST /payouts that an Idempotency-Key keeps', () => {
    let store: PayoutStore;
    afterEach(() => store.service.stop());

    const ask = () => store.affiliate.post('/payouts', { json: { coupon_id: store.couponId }, headers: { 'Idempotency-Key': 'once' } });

    it('is there while the gateway is being asked, and says nothing that the gateway has not said', async () => {
      let meanwhile: Awaited<ReturnType<typeof ask>> | undefined;
      const bank = async () => {
        meanwhile = await ask();
        return { status: 'paid' as const, notice: 'Handed over.' };
      };
      store = await openPayoutStore(engine, { siteModule: { gateways: { bank } } });
      await store.set('payouts.auto_accept.enabled', true);
      await store.set('payouts.auto_accept.gateway', 'bank');
      const { body } = await ask();
      expect([body.status, body.gateway_notice]).to.deep.equal(['paid', 'Handed over.']);
      const { gateway_notice: _, ...first } = body;
      expect([meanwhile?.status, meanwhile?.body]).to.deep.equal([201, { ...first, status: 'created', date_paid: null }]);
    });

    it("is the site's refusal too: the site is not asked again, whatever it would say now", async () => {
      let asked = 0;
      const beforePayout: SiteModule['beforePayout'] = () => {
        asked += 1;
        return asked === 1 ? { refuse: 'We pay on Fridays.' } : undefined;
      };
      store = await openPayoutStore(engine, { siteModule: { beforePayout } });
      const first = await ask();
      expect([first.status, first.body.message]).to.deep.equal([409, 'We pay on Fridays.']);
      const again = await ask();
      expect([again.status, again.body, asked]).to.deep.equal([409, first.body, 1]);
      expect((await store.admin.get('/payouts')).body).to.deep.equal([]);
    });

    it("is a rule's refusal where one stands against it, about which the site is not asked", async () => {
      let asked = 0;
      store = await openPayoutStore(engine, { earned: 0, siteModule: { beforePayout: () => void (asked += 1) } });
      for (let time = 0; time < 2; time += 1) expect((await ask()).body.code).to.equal('svc_api_no_balance');
      expect(asked).to.equal(0);
    });

    // SQLite has one writer at a time: there the second waits for its turn instead.
    if (engine.name === 'postgres')
      it('is none while another process decides about the coupon: that is told, and the key stays unused', async () => {
        store = await openPayoutStore(engine);
        const other = await openDatabase({ url: store.service.databaseUrl });
        const meanwhile = await other.write(async ({ payouts }) => {
          expect(await payouts.claim(store.couponId)).to.equal(true);
          return ask();
        });
        await other.close();
        expect([meanwhile.status, meanwhile.body.code]).to.deep.equal([409, 'svc_api_in_progress']);
        expect((await store.admin.get('/payouts')).body).to.deep.equal([]);
        expect((await ask()).status).to.equal(201);
      });
  });
});
