import { expect } from 'chai';
import type { BillingFact, PaymentFact } from '../../domain/store/payment.ts';
import { recordPayments } from '../../domain/store/record-payments.ts';
import { buildProgram } from '../../site/program.ts';
import { charge, dispute, invoicePayment, newInvoice, oldInvoice, paymentSession, stripeEvent } from '../connectors/billing-payloads.ts';
import { createBilling, referredCheckout } from '../support/billing.ts';
import { onAnyEngine } from '../support/engines.ts';
import { seededRandom } from '../support/random.ts';

onAnyEngine((engine) => {
  describe('several events about one payment of a billing platform', function () {
    this.timeout(120_000);
    const { service, admin, clock, connect, seconds, stripe, find, fresh, deliver, checks } = createBilling(engine);
    const context = async () => {
      const { settings, hashVisitor } = service;
      return { program: buildProgram(await settings.current()), now: clock.now(), userId: 0, hashVisitor };
    };
    const record = async (...facts: BillingFact[]) => {
      const options = await context();
      const source = { platform: 'stripe', connectedAt: 0 } as const;
      return service.storage.write((transaction) =>
        recordPayments(
          transaction,
          facts.map((fact) => ({ ...source, fact })),
          options,
        ),
      );
    };
    const numberOfOrders = async (): Promise<number> =>
      Number((await admin.get('/orders?status=completed&per_page=1')).headers.get('X-Svc-Total'));

    it('are one order, whatever the order in which events show that their ids belong together', async () => {
      const random = seededRandom(40);
      for (let run = 0; run < 25; run += 1) {
        const ids = fresh();
        const at = seconds() + 1;
        const { id, intent, customer } = ids;
        const paid = paymentSession({
          id: `cs_${id}`,
          customer,
          payment_intent: intent,
          client_reference_id: 'coupon_TRAIL10',
          created: at,
        });
        const event = (type: string, object: object, after = 0) => stripeEvent(type, object, { created: at + after });
        const events = [
          event('checkout.session.completed', paid),
          event('invoice.paid', newInvoice({ ...ids, parent: null, at })),
          event('invoice_payment.paid', invoicePayment(id, intent)),
          event('charge.refunded', charge(1000, intent, { created: at }), 1),
          event('charge.refunded', charge(2000, intent, { created: at }), 2),
          event('charge.dispute.funds_withdrawn', { ...dispute(`dp_${id}`, 3000, intent), payment_intent: null }, 3),
        ];
        const order = events.map((_, place) => place).toSorted(() => random.below(3) - 1);
        const before = await numberOfOrders();
        await deliver(order.map((place) => events[place] as object));
        expect((await numberOfOrders()) - before, String(order)).to.equal(1);
        const figures = await find(id);
        expect(figures, String(order)).to.include({ external_id: id, refunded_amount: 40.02, commission: 6 });
        for (const other of [intent, `cs_${id}`, intent.replace('pi_', 'ch_')])
          expect((await find(other)).order_id, `${other} ${order}`).to.equal(figures.order_id);
      }
    });

    const at = Date.parse('2026-11-02T07:00:00Z');
    const amounts = { placedAt: at, total: 1000, discount: 0, shipping: 0, tax: 0, quantity: 1, rank: 2, paid: 1000 };
    const referral = { coupons: ['TRAIL10'], codes: [], codeIds: [] };
    const factOf = (ids: string[], changed: Partial<PaymentFact> = {}): PaymentFact => ({
      kind: 'payment',
      ids,
      occurredAt: at,
      ...changed,
    });
    const paymentOf = (id: string): PaymentFact => factOf([id], { amounts: { ...amounts, externalId: id }, referral });
    const refundOf = (ids: string[], amount: number, after = 0): PaymentFact =>
      factOf(ids, { reduction: { kind: 'refunds', id: ids[0] as string, at: at + after, amount } });

    it('change it one after the other where they are recorded in one batch', async () => {
      const { id } = fresh();
      const [one, two] = [`${id}_1`, `${id}_2`];
      await record(paymentOf(one), factOf([one, two]));
      await record(refundOf([two], 400, 1), refundOf([one], 200), refundOf([two, `${id}_3`], 100));
      expect(await find(one)).to.include({ refunded_amount: 6, commission: 0.4 });
      await record(refundOf([two], 700, 2), refundOf([two], 900, 3));
      expect(await find(two), 'by the same id').to.include({ refunded_amount: 10, status: 'refunded' });
    });

    it('are credited as if they were recorded alone, where a batch has the first payment of a subscription and renewals', async () => {
      const { id, subscription } = fresh();
      const all = ['a', 'b', 'c'].map((name) => `${id}_${name}`);
      const outcomes = await record(
        ...all.map((name, place) => ({ ...paymentOf(name), subscription, referral: place === 0 ? referral : undefined })),
      );
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['created', 'created', 'created']);
      const numbers = outcomes.map(({ orderId }) => orderId as number);
      const paid = await service.storage.read(({ creditLinks }) => creditLinks.paymentsOf(numbers));
      expect(paid.map(({ number }) => number).toSorted()).to.deep.equal([1, 2, 3]);
    });

    it('count once in their subscription where two recorded payments turn out to be one', async () => {
      await service.settings.set('recurring.payments', 2);
      for (const isSecondAlone of [false, true]) {
        const { id, subscription } = fresh();
        const [one, two, three, four] = ['a', 'b', 'c', 'd'].map((name) => `${id}_${name}`) as [string, string, string, string];
        await record({ ...paymentOf(one), ...(isSecondAlone ? {} : { subscription }) });
        await record({ ...paymentOf(two), subscription });
        await record(factOf([one, two]));
        expect(await find(two)).to.include({ commission: 1, order_id: (await find(one)).order_id });
        await record({ ...paymentOf(three), subscription });
        await record({ ...paymentOf(four), subscription });
        expect([(await find(three)).commission, (await find(four)).commission], `second alone: ${isSecondAlone}`).to.deep.equal([1, 0]);
      }
      await service.settings.unset('recurring.payments');
    });

    it('find a code of the same batch', async () => {
      const { id } = fresh();
      const codeIds = [`promo_${id}`];
      await record(
        { kind: 'code', id: `promo_${id}`, code: 'TRAIL10', occurredAt: at },
        { ...paymentOf(id), referral: { ...referral, coupons: [], codeIds } },
      );
      expect(await find(id)).to.include({ commission: 1 });
    });

    it('are found by each of their ids with an index', async () => {
      const statements: string[] = [];
      const database = await engine.open({ onStatement: (sql) => statements.push(sql) });
      const observer = await engine.observe(database.url);
      const upTo = `with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 5000)`;
      await observer.query(
        `insert into store_payments (platform, external_id, seen_at, reductions) ${upTo} select 'stripe', 'in_' || i, 0, '[]' from numbers`,
      );
      await observer.query(
        `insert into store_payment_ids (platform, external_id, payment_id) ${upTo} select 'stripe', 'in_' || i, i from numbers`,
      );
      if (engine.name === 'postgres') await observer.query('analyze');
      await database.write(async ({ orderPages, storePayments }) => {
        await orderPages.programPage({ range: { from: null, to: null }, search: 'in_77' }, { page: 1, perPage: 20 });
        await storePayments.moveIds(77, 78);
      });
      const explain = engine.name === 'sqlite' ? 'explain query plan' : 'explain (generic_plan)';
      const plans: string[] = [];
      for (const sql of statements.filter((text) => text.includes('store_payment_ids')))
        plans.push(JSON.stringify(await observer.query(`${explain} ${sql}`)));
      expect(plans).to.have.length(2);
      for (const plan of plans)
        expect(plan)
          .to.match(/SEARCH|Index/)
          .and.not.match(/SCAN|Seq Scan/);
    });

    it('leave the day from which commission can be paid out where it was, after a dispute that is won', async () => {
      await service.settings.set('commission.clearing_days', 10);
      const ids = fresh();
      await stripe('checkout.session.completed', referredCheckout(ids), seconds());
      await stripe('invoice.paid', oldInvoice({ ...ids, at: seconds() }), seconds());
      clock.advance(9 * 86_400);
      await stripe('charge.dispute.funds_withdrawn', dispute(`dp_${ids.id}`, 12_495, ids.intent), seconds());
      expect(await find(ids.id)).to.include({ commission_status: 'reversed' });
      clock.advance(2 * 86_400);
      await stripe('charge.dispute.funds_reinstated', dispute(`dp_${ids.id}`, 12_495, ids.intent), seconds());
      expect(await find(ids.id)).to.include({ commission_status: 'granted', commission: 10 });
      clock.advance(-11 * 86_400);
      await service.settings.unset('commission.clearing_days');
    });

    it('are reported by doctor where a refund does not find its payment', async () => {
      await connect('stripe');
      const text = async (): Promise<string> => (await checks()).map(({ message }) => message).join('\n');
      const ids = fresh();
      await stripe('checkout.session.completed', referredCheckout(ids), seconds());
      await stripe('invoice.paid', newInvoice({ ...ids, at: seconds() }), seconds());
      const made = seconds() + 1;
      const refund = (created = made) => stripe('charge.refunded', charge(1000, ids.intent, { created }), made);
      await refund(made - 30 * 86_400);
      await refund();
      expect(await text(), 'may be on its way').to.not.include('had not arrived');
      clock.advance(86_400 + 60);
      await refund();
      expect(await text()).to.match(/within 3 days whose payment had not arrived: 2\..* Select all of .*invoice_payment\.paid/);
      clock.advance(3 * 86_400 + 60);
      expect(await text()).to.not.include('had not arrived');
      clock.advance(-4 * 86_400 - 120);
      for (let retry = 0; retry < 10; retry += 1) await refund();
      expect(await text()).to.match(/had not arrived: 1\d\./);
    });
  });
});
