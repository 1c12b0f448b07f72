import { expect } from 'chai';
import { dispute, newInvoice, oldInvoice, paddleEvent, paymentSession, transaction } from '../connectors/billing-payloads.ts';
import { createBilling, referredCheckout } from '../support/billing.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';

const day = 86_400;

onAnyEngine((engine) => {
  describe('who referred a payment of a billing platform', function () {
    this.timeout(120_000);
    const { service, admin, clock, program, connect, seconds, send, stripe, find, fresh } = createBilling(engine);
    type Ids = ReturnType<typeof fresh>;

    /** A payment of the customer, which belongs to no subscription unless one is named. */
    const pay = (ids: Ids, changed: object = {}): Promise<string> =>
      stripe('invoice.paid', oldInvoice({ ...ids, at: seconds(), ...changed }), seconds());
    /** A one-off purchase of the customer that is complete now. */
    const purchase = async ({ customer }: Ids, code = 'TRAIL10', completedAt = seconds()): Promise<string> => {
      const { id, intent } = fresh();
      const changed = { customer, payment_intent: intent, client_reference_id: `coupon_${code}`, created: completedAt - 60 };
      return stripe('checkout.session.completed', paymentSession({ id: `cs_${id}`, ...changed }), completedAt);
    };
    /** The next payment of the subscription, or of a new one. */
    const next = (ids: Ids, subscription = ids.subscription): Ids => ({ ...fresh(), customer: ids.customer, subscription });
    const commissionOf = async (ids: Ids): Promise<number | undefined> => (await find(ids.id))?.commission;
    /** Runs it, and sets the clock back. */
    const inTime = async (work: (advance: (seconds: number) => void) => Promise<void>): Promise<void> => {
      let passed = 0;
      await work((after) => {
        passed += after;
        clock.advance(after);
      });
      clock.advance(-passed);
    };

    it('is not decided by a checkout that follows the payment by more than a day, whatever arrives about it later', () =>
      inTime(async (advance) => {
        const ids = fresh();
        await pay(ids);
        const invoice = oldInvoice({ ...ids, at: seconds() });
        advance(2 * day);
        expect(await purchase(ids)).to.equal('created');
        expect(await stripe('invoice.payment_succeeded', invoice, seconds())).to.equal('ignored');
        const late = next(ids, fresh().subscription);
        expect(await pay(late, { at: seconds() - 2 * day }), 'placed before, first heard of now').to.equal('ignored');
        expect(await commissionOf(ids)).to.equal(undefined);
      }));

    it('is decided by a checkout of the subscription within a day, and never later', () =>
      inTime(async (advance) => {
        const ids = fresh();
        await pay(ids);
        const invoice = oldInvoice({ ...ids, at: seconds() });
        advance(day + 60);
        expect(await stripe('checkout.session.completed', referredCheckout(ids))).to.equal('ignored');
        expect(await stripe('invoice.payment_succeeded', invoice)).to.equal('ignored');
        expect(await commissionOf(ids)).to.equal(undefined);
        expect(await pay(next(ids)), 'the next payment').to.equal('created');
      }));

    it('is decided within a day of the amounts, however long an id of the payment has been known', () =>
      inTime(async (advance) => {
        const ids = fresh();
        await stripe('charge.dispute.funds_withdrawn', dispute(`dp_${ids.id}`, 2499, ids.intent), seconds());
        advance(2 * day);
        await pay(ids);
        expect(await stripe('checkout.session.completed', referredCheckout(ids), seconds())).to.equal('created');
        expect(await find(ids.id)).to.include({ commission: 8, refunded_amount: 20 });
      }));

    it('stays undecided for a subscription that began before a referred purchase of its customer', () =>
      inTime(async (advance) => {
        const ids = fresh();
        await pay(ids);
        advance(10 * day);
        await purchase(ids);
        expect(await pay(next(ids)), 'a renewal').to.equal('ignored');
        expect(await pay(next(ids, fresh().subscription)), 'a subscription that begins now').to.equal('created');
        advance(20 * day);
        expect(await pay(next(ids)), 'the next renewal').to.equal('ignored');
      }));

    for (const [lifetime, days, expected] of [
      [false, 29, 'created'],
      [false, 31, 'ignored'],
      [true, 31, 'created'],
    ] as const)
      it(`credits a purchase to an earlier one of the customer: ${expected} after ${days} days ${lifetime ? 'with' : 'without'} lifetime links`, () =>
        inTime(async (advance) => {
          await service.settings.set('attribution.lifetime', lifetime);
          const ids = fresh();
          await purchase(ids);
          advance(days * day);
          expect(await pay(next(ids, fresh().subscription))).to.equal(expected);
          await service.settings.unset('attribution.lifetime');
        }));

    it('keeps the first coupon of a subscription, and the newest of a customer in any order of arrival', () =>
      inTime(async (advance) => {
        await coupon(service, 'OTHER20', { userId: (await service.user('other', 'affiliate')).id });
        const ids = fresh();
        await stripe('checkout.session.completed', referredCheckout(ids), seconds());
        advance(60);
        await stripe('checkout.session.completed', referredCheckout(ids, { client_reference_id: 'coupon_OTHER20' }), seconds());
        await pay(ids);
        expect(await find(ids.id)).to.include({ coupon: 'TRAIL10' });
        await purchase(ids, 'TRAIL10', seconds() - 3600);
        const bought = next(ids, fresh().subscription);
        await pay(bought);
        expect(await find(bought.id)).to.include({ coupon: 'OTHER20' });
      }));

    it('is decided for a renewal that arrives before the first payment, which names the coupon', async () => {
      await connect('paddle');
      const { subscription: subscription_id, id } = fresh();
      const paid = (name: string, changed: object): Promise<string> =>
        send(paddleEvent('transaction.completed', transaction({ id: `txn_${id}_${name}`, subscription_id, ...changed })));
      expect(await paid('second', { origin: 'subscription_recurring' })).to.equal('ignored');
      expect(await paid('first', { custom_data: { affiliate_coupon: 'TRAIL10' } })).to.equal('created');
      expect(await find(`txn_${id}_second`)).to.include({ commission: 10, coupon: 'TRAIL10' });
      await connect('stripe');
    });

    it('does not credit a purchase that was paid before the page of the checkout was opened', async () => {
      const ids = fresh();
      await pay(next(ids, fresh().subscription), { id: ids.id, intent: ids.intent, at: seconds() - 120 });
      await purchase(ids);
      expect(await commissionOf(ids)).to.equal(undefined);
      const after = { ...fresh(), customer: ids.customer };
      await pay(after, { at: seconds() - 30 });
      expect(await commissionOf(after)).to.equal(10);
    });

    it('is decided by a code that arrives within a day of the checkout, of the invoice or of the transaction', () =>
      inTime(async (advance) => {
        const [checkout, invoice, late] = [fresh(), fresh(), fresh()];
        const code = (ids: Ids): string => `promo_${ids.id}`;
        const created = (ids: Ids) => stripe('promotion_code.created', { id: code(ids), code: 'TRAIL10' }, seconds());
        const discounts = [{ promotion_code: code(checkout) }];
        await stripe('checkout.session.completed', referredCheckout(checkout, { client_reference_id: null, discounts }));
        expect(await stripe('invoice.paid', newInvoice(checkout))).to.equal('ignored');
        expect(await created(checkout)).to.equal('created');
        expect(await commissionOf(checkout)).to.equal(10);
        expect(await pay(invoice, { discount: { promotion_code: code(invoice) } })).to.equal('ignored');
        expect([await created(invoice), await created(invoice)]).to.deep.equal(['created', 'ignored']);
        expect(await commissionOf(invoice)).to.equal(10);
        await pay(late, { discount: { promotion_code: code(late) } });
        const named = { client_reference_id: null, discounts: [{ promotion_code: code(late) }] };
        await stripe('checkout.session.completed', referredCheckout(late, named), seconds());
        advance(day + 60);
        expect(await created(late)).to.equal('ignored');
        expect(await commissionOf(late)).to.equal(undefined);
        expect(await pay(next(late)), 'the next payment').to.equal('ignored');
      }));

    it('is the newest text of a code, whichever event arrives first', async () => {
      await connect('paddle');
      const { id } = fresh();
      await send(paddleEvent('discount.updated', { id: `dsc_${id}`, code: 'TRAIL10' }, '2026-11-02T07:00:10Z'));
      await send(paddleEvent('discount.created', { id: `dsc_${id}`, code: 'FORMER' }, '2026-11-02T07:00:00Z'));
      const paid = transaction({ id: `txn_${id}`, subscription_id: null, discount_id: `dsc_${id}` });
      expect(await send(paddleEvent('transaction.completed', paid))).to.equal('created');
      await connect('stripe');
    });

    it('is explained for a limit of 1 in the singular', async () => {
      for (const name of ['payments', 'months']) await service.settings.set(`recurring.${name}`, 1);
      const ids = fresh();
      await stripe('checkout.session.completed', referredCheckout(ids));
      const renewal = next(ids);
      await pay(ids);
      await pay(renewal);
      const { order_id } = await find(renewal.id);
      const { body } = await admin.get(`/coupons/${program.couponId}/orders/${order_id}/explanation`);
      expect(body.attribution.text).to.include('commission is paid for 1 payment within 1 month.');
      expect(body.inputs.rates[0].text).to.include('beyond the limit of 1 payment.');
      for (const name of ['payments', 'months']) await service.settings.unset(`recurring.${name}`);
    });
  });
});
