import { expect } from 'chai';
import type { ContractClient } from '../support/contract-client.ts';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { coupon, orders, payoutDetails } from '../support/program.ts';
import { suiteService } from '../support/service.ts';

onAnyEngine((engine) => {
  const { service, admin } = suiteService(engine);
  const ann = suiteFixture(() => service.user('ann', 'affiliate'));

  describe('GET /coupons/{id}', () => {
    const read = async (id: number, client = admin) => (await client.get(`/coupons/${id}`)).body;
    const own = {
      percentThousandths: 12_500,
      fixedPerOrder: 150,
      fixedPerProduct: 0,
      discountType: 'fixed_cart',
      discountAmount: 500,
    } as const;

    it('returns rates, discount, referral link, figures and whether a payout can be requested', async () => {
      const id = await coupon(service, 'TRAIL10', {
        userId: ann.id,
        createdAt: Date.parse('2026-03-10T08:15:00Z'),
        discountAmount: 10_000,
      });
      await orders(service, [{ id: 100, coupon: id, at: '2026-10-05T12:00:00Z', total: 179.8, discount: 17.98, shipping: 4.9 }]);
      expect(await read(id)).to.deep.equal({
        id,
        code: 'TRAIL10',
        user_id: ann.id,
        status: 'publish',
        date_created: '2026-03-10T08:15:00',
        unpaid_commission: 16.18,
        pending_order_commission: 0,
        pending_payout_commission: 0,
        paid_commission: 0,
        user: { id: ann.id, display_name: 'The ann', login: 'ann', email: 'ann@shop.example' },
        referral_url: 'https://example.com/?ref=TRAIL10',
        commission: { percent: 10, percent_override: null, fixed_per_order: null, fixed_per_product: null },
        discount: { type: 'percent', amount: 10 },
        stats: {
          orders_count: 1,
          total_sales: 179.8,
          total_discount: 17.98,
          total_shipping: 4.9,
          total_commission: 16.18,
          last_refreshed: null,
        },
        payout_eligibility: { eligible: false, reasons: ['svc_api_no_payout_details'] },
      });
    });

    it("returns the coupon's own rates where it has any, otherwise the current rates of the store", async () => {
      const [plain, special] = [await coupon(service, 'PLAIN'), await coupon(service, 'SPECIAL', own)];
      const commission = async (id: number) => (await read(id)).commission;
      const ofSpecial = { percent: 12.5, percent_override: 12.5, fixed_per_order: 1.5, fixed_per_product: 0 };
      expect(await commission(special)).to.deep.equal(ofSpecial);
      expect((await read(special)).discount).to.deep.equal({ type: 'fixed_cart', amount: 5 });
      await service.settings.set('commission.percent', 7.25);
      await service.settings.set('commission.fixed_per_order', 0.5);
      await service.settings.set('commission.fixed_per_product', 0.25);
      expect(await commission(plain)).to.deep.equal({
        percent: 7.25,
        percent_override: null,
        fixed_per_order: 0.5,
        fixed_per_product: 0.25,
      });
      expect(await commission(special)).to.deep.equal(ofSpecial);
      for (const path of ['commission.percent', 'commission.fixed_per_order', 'commission.fixed_per_product'])
        await service.settings.unset(path);
    });

    it("links to the shop's address, with any characters in the code", async () => {
      const id = await coupon(service, 'Ä & B=C/100%?#+');
      await service.withSetting('store.url', 'https://fjell.example/shop/', async () => {
        const { referral_url } = await read(id);
        expect(referral_url).to.equal('https://fjell.example/shop/?ref=%C3%84%20%26%20B%3DC%2F100%25%3F%23%2B');
        expect(new URL(referral_url).searchParams.get('ref')).to.equal('Ä & B=C/100%?#+');
      });
    });

    it('answers no_affiliate for a coupon without an owner', async () => {
      const body = await read(await coupon(service, 'UNASSIGNED'));
      expect(body).to.deep.include({ user_id: 0, user: null });
      expect(body.payout_eligibility).to.deep.equal({ eligible: false, reasons: ['svc_api_no_affiliate', 'svc_api_no_balance'] });
    });

    it('omits payouts in the free edition, and while the add-on is not active or switched off', async () => {
      const id = await coupon(service, 'SILENT', { userId: ann.id });
      for (const [path, value] of [
        ['edition', 'free'],
        ['addons.payouts', false],
        ['switches.payouts', false],
      ] as const) {
        await service.withSetting(path, value, async () => expect(await read(id)).not.to.have.property('payout_eligibility'));
      }
      expect(await read(id)).to.have.property('payout_eligibility');
    });

    describe('as payout_eligibility.reasons', () => {
      let id: number;
      let owner: ContractClient;
      before(async () => {
        const cleo = await service.user('cleo', 'affiliate');
        id = await coupon(service, 'CLEO', { userId: cleo.id });
        owner = await service.clientOf(cleo);
        await payoutDetails(service, { userId: cleo.id, method: 'PayPal', methodType: 'paypal', details: { email: 'cleo@pay.example' } });
        await orders(service, [{ id: 200, coupon: id, at: '2026-10-05T12:00:00Z', total: 300 }]);
      });

      const reasons = async (client: ContractClient) => (await read(id, client)).payout_eligibility.reasons;

      it('lists nothing when a payout can be requested', async () => {
        for (const client of [owner, admin])
          expect((await read(id, client)).payout_eligibility).to.deep.equal({ eligible: true, reasons: [] });
      });

      for (const [path, value, code, alsoForAdmins] of [
        ['payouts.enabled', false, 'svc_api_payouts_disabled', true],
        ['payouts.requests_enabled', false, 'svc_api_requests_disabled', false],
        ['payouts.threshold', 30.01, 'svc_api_below_threshold', true],
        ['payouts.methods.paypal.enabled', false, 'svc_api_method_disabled', false],
        ['payouts.methods.paypal.invoice_required', true, 'svc_api_invoice_required', true],
      ] as const)
        it(`lists ${code}${alsoForAdmins ? '' : ', but not for admins'}`, async () => {
          await service.withSetting(path, value, async () => {
            expect(await reasons(owner)).to.deep.equal([code]);
            expect(await reasons(admin)).to.deep.equal(alsoForAdmins ? [code] : []);
          });
        });

      it('lists the balance when there is none, and the details when they are missing and required', async () => {
        const dora = await service.user('dora', 'affiliate');
        const hers = await coupon(service, 'DORA', { userId: dora.id });
        const against = async () => (await read(hers)).payout_eligibility.reasons;
        expect(await against()).to.deep.equal(['svc_api_no_balance', 'svc_api_no_payout_details']);
        await payoutDetails(service, { userId: dora.id, method: 'Bank', methodType: 'banktransfer', details: {} });
        expect(await against()).to.deep.equal(['svc_api_no_balance', 'svc_api_no_payout_details']);
        await payoutDetails(service, { userId: dora.id, method: 'Store credit', methodType: 'credit', details: {} });
        expect(await against()).to.deep.equal(['svc_api_no_balance']);
        await service.withSetting('payouts.threshold', 50, async () => expect(await against()).to.deep.equal(['svc_api_no_balance']));
      });
    });
  });
});
