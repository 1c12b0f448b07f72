import { expect } from 'chai';
import fc from 'fast-check';
import { wholeDatabase } from '../attacks/whole-database.ts';
import {
  adjustment,
  charge,
  dispute,
  failedRefund,
  invoicePayment,
  newInvoice,
  oldInvoice,
  paddleEvent,
  paidAt,
  paymentSession,
  secondsOf,
  stripeEvent,
  transaction,
} from '../connectors/billing-payloads.ts';
import { createBilling, platformSecret, referredCheckout } from '../support/billing.ts';
import { clicks } from '../support/clicks.ts';
import { onAnyEngine } from '../support/engines.ts';
import { createEarner } from '../support/payouts.ts';

const first = 5_000_000_000_000_000;

onAnyEngine((engine) => {
  describe('payments of billing platforms', function () {
    this.timeout(120_000);
    const billing = createBilling(engine);
    const { service, admin, clock, connect, post, send, stripe, find, fresh, deliver } = billing;
    let couponId: number;
    before(() => {
      couponId = billing.program.couponId;
    });

    it('credits an invoice to the coupon of its checkout, under a number from 5,000,000,000,000,000 and with its external id', async () => {
      const ids = fresh();
      expect(await stripe('checkout.session.completed', referredCheckout(ids))).to.equal('ignored');
      expect(await stripe('invoice.paid', oldInvoice(ids))).to.equal('created');
      expect(await stripe('invoice.payment_succeeded', oldInvoice(ids))).to.equal('unchanged');
      const order = await find(ids.id);
      expect(order).to.include({
        external_id: ids.id,
        total: 120,
        discount: 20,
        commission: 10,
        coupon: 'TRAIL10',
        commission_status: 'granted',
      });
      expect(order.order_id).to.be.at.least(first);
      expect((await find(ids.intent)).order_id, 'by the id of the payment').to.equal(order.order_id);
      const { body } = await admin.get(`/coupons/${couponId}/orders/${order.order_id}/explanation`);
      expect(body).to.include({ external_id: ids.id, agrees: true });
      expect(body.attribution.text).to.match(
        /^This is payment 1 of a subscription, of which commission is paid for all payments within 12 months\./,
      );
      await service.settings.set('addons.store', false);
      expect((await admin.get(`/orders?search=${order.order_id}`)).body[0]).not.to.have.property('external_id');
      await service.settings.set('addons.store', true);
    });

    it('accepts a number of that range from no other way in', async () => {
      const record = { order_id: first, date: '2026-11-02T07:00:00', status: 'completed', total: 1, coupon_code: 'TRAIL10' };
      const { body } = await admin.post('/store/orders', { json: [record] });
      expect(body[0]).to.include({ outcome: 'refused', reason: 'order_id must be a whole number from 1 to 4999999999999999.' });
    });

    it('counts a session and an invoice of one payment once, whichever arrives first, also where only a later event says so', async () => {
      for (const order of [
        [0, 1, 2],
        [1, 0, 2],
        [2, 1, 0],
        [1, 2, 0],
      ]) {
        const ids = fresh();
        const paid = paymentSession({
          id: `cs_${ids.id}`,
          customer: ids.customer,
          payment_intent: ids.intent,
          client_reference_id: 'coupon_TRAIL10',
        });
        const events = [
          ['checkout.session.completed', paid],
          ['invoice.paid', newInvoice({ ...ids, parent: null })],
          ['invoice_payment.paid', invoicePayment(ids.id, ids.intent)],
        ] as const;
        const before = (await admin.get('/orders?status=completed&per_page=1')).headers.get('X-Svc-Total');
        for (const at of order) await stripe(...(events[at] as (typeof events)[0]));
        const after = (await admin.get('/orders?status=completed&per_page=1')).headers.get('X-Svc-Total');
        expect(Number(after) - Number(before), String(order)).to.equal(1);
        expect(await find(ids.intent)).to.include({ external_id: ids.id, commission: 10, status: 'completed' });
      }
    });

    it('keeps an invoice without its checkout for 24 hours', async () => {
      const [early, late] = [fresh(), fresh()];
      for (const ids of [early, late]) expect(await stripe('invoice.paid', newInvoice(ids))).to.equal('ignored');
      clock.advance(86_000);
      expect(await stripe('checkout.session.completed', referredCheckout(early))).to.equal('created');
      clock.advance(500);
      expect(await stripe('checkout.session.completed', referredCheckout(late))).to.equal('ignored');
      expect((await find(early.id)).commission).to.equal(10);
      expect(await find(late.id)).to.equal(undefined);
      clock.advance(-86_500);
    });

    it('answers 503 to a refund of a payment that may still arrive, and 200 where it is older than the connection or was retried for a day', async () => {
      const ids = fresh();
      const at = Math.floor(service.clock.now() / 1000) + 1;
      const refund = (created: number) => stripeEvent('charge.refunded', charge(100, ids.intent, { created }), { created: at });
      expect((await post(refund(at))).status).to.equal(503);
      expect(await post(refund(secondsOf('2026-01-01T00:00:00Z')))).to.include({ status: 200, outcome: 'ignored' });
      clock.advance(86_402);
      expect(await post(refund(at))).to.include({ status: 200, outcome: 'ignored' });
      clock.advance(-86_402);
      expect(await stripe('invoice.paid', oldInvoice(ids))).to.equal('ignored');
      expect((await post(refund(at))).status, 'of a payment that concerns no affiliate').to.equal(200);
    });

    it('takes commission back in the proportion of the money, and gives it again', async () => {
      const ids = fresh();
      const at = secondsOf(paidAt);
      await stripe('checkout.session.completed', referredCheckout(ids));
      await stripe('invoice.paid', oldInvoice(ids));
      const commission = async () => (await find(ids.id)).commission;
      const refunded = async (amount: number, after: number) => {
        await stripe('charge.refunded', charge(amount, ids.intent), at + after);
        return commission();
      };
      expect(await refunded(2499, 1)).to.equal(8);
      expect(await refunded(4998, 2), 'cumulative').to.equal(6);
      expect(await refunded(2499, 1), 'an old one again').to.equal(6);
      await stripe('charge.refund.updated', failedRefund('re_1', 2499, ids.intent), at + 3);
      expect(await commission(), 'one failed').to.equal(8);
      await stripe('charge.dispute.funds_withdrawn', dispute('dp_1', 12_495, ids.intent), at + 4);
      expect(await find(ids.id)).to.include({ commission: 0, status: 'refunded', commission_status: 'reversed' });
      await stripe('charge.dispute.funds_reinstated', dispute('dp_1', 12_495, ids.intent), at + 5);
      expect(await find(ids.id)).to.include({ commission: 8, status: 'completed', commission_status: 'granted' });
    });

    for (const name of ['stripe', 'paddle'] as const)
      it(`of ${name} that are refunded after a payout leave the difference owed, which the next payment makes up for`, async () => {
        await connect(name);
        const code = `paidby${name}`;
        const earner = await createEarner(service, code, 0);
        const ids = fresh();
        const pay = async (id: string, intent: string): Promise<string> => {
          if (name === 'stripe') return stripe('invoice.paid', oldInvoice({ ...ids, id, intent }));
          return send(
            paddleEvent(
              'transaction.completed',
              transaction({ id, subscription_id: ids.subscription, custom_data: { affiliate_coupon: code } }),
            ),
          );
        };
        const refund = (): Promise<string> =>
          name === 'stripe'
            ? stripe('charge.refunded', charge(2499, ids.intent), secondsOf(paidAt) + 1)
            : send(paddleEvent('adjustment.updated', adjustment(`adj_${code}`, 'refund', 'approved', 2000, ids.id)));
        const pools = async () => {
          const { unpaid_commission: unpaid, paid_commission: paid } = (await admin.get(`/coupons/${earner.couponId}`)).body;
          return { unpaid, paid };
        };
        if (name === 'stripe') await stripe('checkout.session.completed', referredCheckout(ids, { client_reference_id: `coupon_${code}` }));
        expect(await pay(ids.id, ids.intent)).to.equal('created');
        const payout = (await admin.post('/payouts', { json: { coupon_id: earner.couponId } })).body;
        expect(payout.amount).to.equal(10);
        expect((await admin.post(`/payouts/${payout.id}/status`, { json: { status: 'paid' } })).status).to.equal(200);
        expect(await pools()).to.deep.equal({ unpaid: 0, paid: 10 });
        expect(await refund()).to.equal('updated');
        expect(await pools(), 'after the refund').to.deep.equal({ unpaid: -2, paid: 10 });
        expect((await admin.post('/payouts', { json: { coupon_id: earner.couponId } })).body.code).to.equal('svc_api_no_balance');
        expect(await pay(`${ids.id}_2`, `${ids.intent}_2`)).to.equal('created');
        expect(await pools(), 'after a renewal').to.deep.equal({ unpaid: 8, paid: 10 });
        await connect('stripe');
      });

    it('resolves promotion codes, coupons and clicks; a trial that outlasts the window stays credited', async () => {
      await stripe('promotion_code.created', { id: 'promo_7', object: 'promotion_code', code: 'trail10', coupon: {} });
      const [byCode, byId, byClick] = [fresh(), fresh(), fresh()];
      await stripe(
        'checkout.session.completed',
        referredCheckout(byCode, { client_reference_id: null, discounts: [{ promotion_code: 'promo_7' }] }),
      );
      await stripe('checkout.session.completed', referredCheckout(byId, { client_reference_id: `coupon_${couponId}` }));
      const visitor = '00112233445566778899aabbccddeeff';
      await clicks(service, [{ coupon: couponId, visitor, at: '2026-11-01T07:00:00Z', campaign: 'autumn' }]);
      await stripe(
        'checkout.session.completed',
        referredCheckout(byClick, { client_reference_id: visitor, payment_status: 'no_payment_required' }),
      );
      expect(await stripe('invoice.paid', newInvoice(byCode))).to.equal('created');
      expect(await stripe('invoice.paid', newInvoice(byId))).to.equal('created');
      const later = secondsOf('2026-12-20T07:00:00Z');
      expect(await stripe('invoice.paid', newInvoice({ ...byClick, at: later }), later)).to.equal('created');
      expect(await find(byClick.id)).to.include({ credited_via: 'referral_link', campaign: 'autumn', coupon: 'TRAIL10' });
      expect(await find(byCode.id)).to.include({ credited_via: 'coupon' });
    });

    const months = (count: number): number => Date.UTC(2026, 10 + count, 2, 7) / 1000;
    const limits: [string, object, number[]][] = [
      ['12 months by default', {}, [10, 10, 0, 0]],
      ['2 payments', { 'recurring.payments': 2, 'recurring.months': 0 }, [10, 10, 0, 0]],
      ['a percentage of their own and no limit', { 'recurring.percent': 5, 'recurring.months': 0 }, [10, 5, 5, 5]],
    ];
    for (const [title, changed, expected] of limits)
      it(`limits renewals by ${title}, and explains it`, async () => {
        for (const [path, value] of Object.entries(changed)) await service.settings.set(path, value);
        const ids = fresh();
        await stripe('checkout.session.completed', referredCheckout(ids));
        const commissions: number[] = [];
        let text = '';
        for (const [at, month] of [0, 1, 12, 13].entries()) {
          const invoice = { ...ids, id: `${ids.id}_${at}`, intent: `${ids.intent}_${at}`, at: months(month) };
          await stripe('invoice.paid', newInvoice(invoice), months(month));
          const order = await find(invoice.id);
          commissions.push(order.commission);
          const { body } = await admin.get(`/coupons/${couponId}/orders/${order.order_id}/explanation`);
          expect(body.agrees).to.equal(true);
          text = `${body.attribution.text} ${body.inputs.rates[0].text}`;
        }
        expect(commissions).to.deep.equal(expected);
        expect(text).to.match(/^This is payment 4 of a subscription/);
        expect(text).to.match(/beyond the limit of (?:12 months after the first|2 payments)\.$|5 %, the rate of renewals\.$/);
        for (const path of Object.keys(changed)) await service.settings.unset(path);
      });

    it('credits payments that a shop sends by the API with the same subscription', async () => {
      const record = (order_id: number, changed: object) => ({
        order_id,
        date: '2026-11-01T07:00:00',
        status: 'completed',
        total: 50,
        ...changed,
      });
      const subscription = 'plan-77';
      const json = [
        record(9001, { subscription, coupon_code: 'TRAIL10' }),
        record(9002, { subscription }),
        record(9003, { subscription: 'other' }),
      ];
      const outcomes: { outcome: string; commission: number | null }[] = [];
      for (const one of json) outcomes.push(...(await admin.post('/store/orders', { json: [one] })).body);
      expect(outcomes.map(({ outcome, commission }) => [outcome, commission])).to.deep.equal([
        ['created', 5],
        ['created', 5],
        ['ignored', null],
      ]);
    });

    interface Sequence {
      events: object[];
      externalId: string;
    }
    /** Everything that may happen to one payment, at different moments. */
    const stripeSequence = (steps: readonly [number, number][], isNew: boolean): Sequence => {
      const ids = fresh();
      const at = Math.floor(service.clock.now() / 1000) + 1;
      let refunded = 0;
      const event = (type: string, object: object, created: number) => stripeEvent(type, object, { created });
      const happened = steps.map(([kind, amount], index) => {
        const created = at + 10 + index;
        const name = `${ids.id}_${Math.floor(index / 2)}`;
        if (kind === 0) refunded = Math.min(12_495, refunded + amount);
        if (kind === 0) return event('charge.refunded', charge(refunded, ids.intent, { created: at }), created);
        if (kind === 1) return event('charge.refund.updated', failedRefund(`re_${name}`, amount, ids.intent), created);
        const type = kind === 2 ? 'charge.dispute.funds_withdrawn' : 'charge.dispute.funds_reinstated';
        return event(type, dispute(`dp_${name}`, amount, ids.intent), created);
      });
      const invoice = isNew ? newInvoice({ ...ids, at }) : oldInvoice({ ...ids, at });
      const events = [
        event('checkout.session.completed', referredCheckout(ids, { created: at, client_reference_id: 'coupon_TRAIL10' }), at),
        event('invoice.paid', invoice, at),
        event('invoice.payment_succeeded', invoice, at),
        event('invoice_payment.paid', invoicePayment(ids.id, ids.intent), at),
        ...happened,
      ];
      return { events, externalId: ids.id };
    };
    const paddleSequence = (steps: readonly [number, number][]): Sequence => {
      const { id: name, subscription } = fresh();
      const externalId = name.replace('in_', 'txn_');
      const happened = steps.flatMap(([kind, amount], index) => {
        const send = (action: string, status: string) =>
          paddleEvent('adjustment.updated', adjustment(`adj_${name}_${index}_${action}`, action, status, amount, externalId));
        if (kind === 0) return [send('refund', 'pending_approval'), send('refund', 'approved')];
        if (kind === 1) return [send('refund', 'pending_approval'), send('refund', 'rejected'), send('credit', 'approved')];
        if (kind === 2) return [send('chargeback', 'approved')];
        return [send('chargeback', 'approved'), send('chargeback_reverse', 'approved'), send('chargeback', 'reversed')];
      });
      const custom_data = { affiliate_coupon: 'TRAIL10' };
      return {
        events: [
          paddleEvent('transaction.completed', transaction({ id: externalId, subscription_id: subscription, custom_data })),
          ...happened,
        ],
        externalId,
      };
    };

    const figuresOf = async (externalId: string) => {
      const { order_id: _id, date: _date, date_granted: _granted, external_id: _external, ...figures } = await find(externalId);
      return figures;
    };

    for (const name of ['stripe', 'paddle'] as const)
      it(`of ${name} end in the same figures in any order of arrival, with duplicates and delays`, async () => {
        await connect(name);
        const step = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 8000 }));
        const model = fc.record({ steps: fc.array(step, { maxLength: 6 }), isNew: fc.boolean(), order: fc.infiniteStream(fc.nat(1000)) });
        const property = fc.asyncProperty(model, async ({ steps, isNew, order }) => {
          const make = () => (name === 'stripe' ? stripeSequence(steps, isNew) : paddleSequence(steps));
          const [straight, mixed] = [make(), make()];
          await deliver(straight.events);
          const repeated = [...mixed.events, ...mixed.events.filter(() => (order.next().value ?? 0) % 3 === 0)];
          const shuffled = repeated.map((event) => ({ event, at: order.next().value ?? 0 })).toSorted((one, other) => one.at - other.at);
          await deliver(shuffled.map(({ event }) => event));
          const figures = await figuresOf(mixed.externalId);
          expect(figures).to.deep.equal(await figuresOf(straight.externalId));
          expect(figures.commission).to.be.within(0, 10);
          const left = 100 - figures.refunded_amount;
          expect(figures.commission).to.be.closeTo(left / 10, 0.005);
        });
        await fc.assert(property, { numRuns: Number(process.env['PROVE_PAYMENTS'] ?? 12), seed: 20_261_118 });
      });

    it('tells of missing events, and stores nothing about customers', async () => {
      await connect('stripe');
      const paid = async (count: number): Promise<void> => {
        for (let sent = 0; sent < count; sent += 1) await stripe('invoice.paid', newInvoice(fresh()));
      };
      const report = async (): Promise<string> => (await billing.checks()).map(({ message }) => message).join('\n');
      await paid(24);
      clock.advance(2 * 86_400);
      expect(await report(), 'there may have been no refund')
        .to.include('checkout.session.completed')
        .and.not.include('charge.refunded');
      await paid(6);
      const text = await report();
      expect(text).to.include('checkout.session.completed').and.include('charge.refunded').and.not.include('invoice.payment_succeeded');
      const everything = JSON.stringify(await wholeDatabase(engine, service.databaseUrl)) + service.log.join('');
      for (const word of ['Secretname', 'customer.example', '4915100000000', 'cus_', 'ctm_', platformSecret])
        expect(everything).to.not.include(word);
    });
  });
});
