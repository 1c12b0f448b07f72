import { expect } from 'chai';
import fc from 'fast-check';
import { charge, dispute, failedRefund, invoicePayment, newInvoice, oldInvoice, stripeEvent } from '../connectors/billing-payloads.ts';
import { createBilling, referredCheckout } from '../support/billing.ts';
import { onAnyEngine } from '../support/engines.ts';

/** 100.00 of 124.95 that are paid are goods, of which 10 % are commission. */
const paid = 12_495;
const net = 10_000;
const rate = 1000;

const halfUp = (dividend: number, divisor: number): number => Math.floor((2 * dividend + divisor) / (2 * divisor));

/** Each number is an amount. `fails` is what fails of the refunds before it. */
type Happening = { kind: 'refunded' | 'fails' | 'disputed' | 'won'; amount: number };
const happening = fc.record({
  kind: fc.constantFrom('refunded', 'fails', 'disputed', 'won'),
  amount: fc.integer({ min: 1, max: 6000 }),
}) as fc.Arbitrary<Happening>;
const payment = fc.record({ isNew: fc.boolean(), happenings: fc.array(happening, { maxLength: 4 }), namesIntent: fc.boolean() });

onAnyEngine((engine) => {
  describe('random subscriptions of Stripe', function () {
    this.timeout(300_000);
    const { service, program, seconds, find, fresh, deliver } = createBilling(engine);

    interface PaymentModel {
      isNew: boolean;
      happenings: readonly Happening[];
      namesIntent: boolean;
    }
    /** The events of a payment, and what they leave of it, added up as they happen. */
    function play({ isNew, happenings, namesIntent }: PaymentModel, ids: ReturnType<typeof fresh>, at: number) {
      const { id, intent } = ids;
      let refunded = 0;
      const disputes: number[] = [];
      const events = happenings.map(({ kind, amount }, index) => {
        const event = (type: string, object: object) => stripeEvent(type, object, { created: at + 10 + index });
        if (kind === 'refunded') {
          refunded = Math.min(paid, refunded + amount);
          return event('charge.refunded', charge(refunded, intent, { created: at }));
        }
        if (kind === 'fails') {
          const back = Math.min(refunded, amount);
          refunded -= back;
          return event('charge.refund.updated', failedRefund(`re_${id}_${index}`, back, intent));
        }
        const isWon = kind === 'won' && disputes.length > 0;
        if (isWon) disputes[disputes.length - 1] = 0;
        else disputes.push(amount);
        // Without a refund, nothing else says which payment a charge is of.
        const named = namesIntent || isNew ? {} : { payment_intent: null };
        const object = { ...dispute(`dp_${id}_${disputes.length}`, amount, intent), ...named };
        return event(`charge.dispute.funds_${isWon ? 'reinstated' : 'withdrawn'}`, object);
      });
      const invoice = isNew ? newInvoice({ ...ids, at }) : oldInvoice({ ...ids, at });
      const created = { created: at };
      events.push(stripeEvent('invoice.paid', invoice, created), stripeEvent('invoice.payment_succeeded', invoice, created));
      if (isNew) events.push(stripeEvent('invoice_payment.paid', invoicePayment(id, intent), created));
      const back = Math.min(paid, refunded + disputes.reduce((sum, amount) => sum + amount, 0));
      const goods = halfUp(net * back, paid);
      return { events, expected: { refunded: goods, commission: halfUp(rate * (net - goods), net) } };
    }

    it('have the refunds and the commission of each payment, whatever arrives first, twice or in parallel', async () => {
      const observer = await engine.observe(service.databaseUrl);
      const model = fc.record({
        payments: fc.array(payment, { minLength: 2, maxLength: 4 }),
        order: fc.infiniteStream(fc.nat(1000)),
        namesInvoice: fc.boolean(),
        isParallel: fc.boolean(),
      });
      let expectedUnpaid = 0;
      const property = fc.asyncProperty(model, async ({ payments, order, namesInvoice, isParallel }) => {
        const ids = fresh();
        const at = seconds() + 1;
        const idsOf = (number: number) => ({ ...ids, id: `${ids.id}_${number}`, intent: `${ids.intent}_${number}` });
        const played = payments.map((one, number) => play(one, idsOf(number), at + number));
        const invoice = namesInvoice ? idsOf(0).id : null;
        const checkout = stripeEvent('checkout.session.completed', referredCheckout(ids, { created: at, invoice }), { created: at });
        const events = [checkout, ...played.flatMap((one) => one.events)];
        const repeated = [...events, ...events.filter(() => (order.next().value ?? 0) % 3 === 0)];
        const mixed = repeated
          .map((event) => ({ event, place: order.next().value ?? 0 }))
          .toSorted((one, other) => one.place - other.place);
        const arriving = mixed.map(({ event }) => event);
        const lanes = isParallel ? [0, 1, 2].map((lane) => arriving.filter((_, index) => index % 3 === lane)) : [arriving];
        await Promise.all(lanes.map(deliver));
        const orders = await Promise.all(payments.map((_, number) => find(idsOf(number).id)));
        const figures = orders.map((found) => ({
          refunded: Math.round(found.refunded_amount * 100),
          commission: Math.round(found.commission * 100),
        }));
        expect(figures).to.deep.equal(played.map(({ expected }) => expected));
        for (const { commission } of figures) expect(commission).to.be.within(0, rate);
        expectedUnpaid += figures.reduce((sum, { commission }) => sum + commission, 0);
        const [ledger] = await observer.query<{ sum: unknown }>('select sum(amount_minor) as sum from ledger');
        expect(Number(ledger?.sum), 'the sum of all movements').to.equal(0);
        const pools = `select coalesce(sum(amount_minor), 0) as sum from ledger where coupon_id = ${program.couponId}`;
        const [earned] = await observer.query<{ sum: unknown }>(`${pools} and pool in ('unpaid', 'pending_order')`);
        expect(Number(earned?.sum), 'what the coupon has earned').to.equal(expectedUnpaid);
      });
      await fc.assert(property, { numRuns: Number(process.env['PROVE_PAYMENTS'] ?? 12), seed: 20_261_118, endOnFailure: true });
    });
  });
});
