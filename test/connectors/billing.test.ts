import { expect } from 'chai';
import { getConnector } from '../../connectors/index.ts';
import { translatePayload } from '../../connectors/translate.ts';
import type { PaymentFact } from '../../domain/store/payment.ts';
import {
  adjustment,
  charge,
  failedRefund,
  newInvoice,
  oldInvoice,
  paddleEvent,
  paidAt,
  paymentSession,
  session,
  signPaddle,
  signStripe,
  stripeEvent,
  transaction,
} from './billing-payloads.ts';

const secret = 'whsec_a secret of the platform';
const now = Date.parse(paidAt);
const time = now / 1000;
const options = { currency: 'EUR', statuses: {}, completedWhen: 'paid' as const };

const schemes = [
  { platform: 'stripe', header: 'stripe-signature', sign: signStripe, separator: ',', mark: 'v1', joint: ', ' },
  { platform: 'paddle', header: 'paddle-signature', sign: signPaddle, separator: ';', mark: 'h1', joint: '; ' },
] as const;

for (const { platform, header, sign, separator, mark, joint } of schemes)
  describe(`the signature of ${platform}`, () => {
    const body = '{"id":"evt_1", "amount":10.0}';
    const isSigned = (value: string | undefined, bytes: string | Buffer = body): boolean =>
      getConnector(platform).isSigned({ headers: { [header]: value }, bytes: Buffer.from(bytes), receivedAt: now }, secret);
    const good = sign(body, secret, time);
    const [stamp = '', signature = ''] = good.split(separator);
    const wrong = `${mark}=${'0'.repeat(64)}`;

    const accepted: [string, string][] = [
      ['as the platform sends it', good],
      ['four minutes old', sign(body, secret, time - 240)],
      ['five minutes old', sign(body, secret, time - 300)],
      ['of a clock that is ahead', sign(body, secret, time + 240)],
      ['second of two, while a secret is replaced', [stamp, wrong, signature].join(separator)],
      ['first of two', [stamp, signature, wrong].join(separator)],
      ['with spaces between its parts', [stamp, signature].join(joint)],
      ['with parts of other schemes', [stamp, 'v0=abc', signature].join(separator)],
      ['before the time stamp', [signature, stamp].join(separator)],
    ];
    for (const [title, value] of accepted) it(`is accepted ${title}`, () => expect(isSigned(value)).to.equal(true));

    const refused: [string, string | undefined, (string | Buffer)?][] = [
      ['of another secret', sign(body, 'another secret', time)],
      ['older than five minutes', sign(body, secret, time - 301)],
      ['from more than five minutes ahead', sign(body, secret, time + 301)],
      ['with another time stamp than it is of', [stamp.replace(String(time), String(time - 1)), signature].join(separator)],
      ['without a time stamp', signature],
      ['without a signature', stamp],
      ['of another scheme', good.replace(`${mark}=`, 'v9=')],
      ['in upper case', good.toUpperCase()],
      ['cut short', good.slice(0, -1)],
      ['that is empty', ''],
      ['that is missing', undefined],
      ['with a time stamp that is not a number', good.replace(String(time), 'NaN')],
      ['of a body that has one more byte', good, `${body} `],
      ['of a body with one byte changed', good, body.replace('evt_1', 'evt_2')],
      ['of a body that was parsed and written again', good, JSON.stringify(JSON.parse(body))],
      ['of the empty body', good, ''],
    ];
    for (const [title, value, bytes] of refused) it(`is refused ${title}`, () => expect(isSigned(value, bytes)).to.equal(false));
  });

function factOf(platform: 'stripe' | 'paddle', payload: { type?: string; event_type?: string }, changed: object = {}): PaymentFact {
  const connector = getConnector(platform);
  const translated = translatePayload(connector, connector.findTopic({}, payload), payload, { ...options, ...changed });
  if (!('fact' in translated) || translated.fact.kind !== 'payment') throw new Error(JSON.stringify(translated));
  return translated.fact;
}

describe('the Stripe connector', () => {
  const invoice = (changed: Parameters<typeof oldInvoice>[0] = {}, more: object = {}) =>
    factOf('stripe', stripeEvent('invoice.paid', oldInvoice(changed)), more);
  const money = { placedAt: now, total: 12_000, discount: 2000, shipping: 500, tax: 1995, quantity: 1, paid: 12_495 };

  it('reads the goods of an invoice in old and new API versions alike, without tax, shipping and the tax of shipping', () => {
    expect(invoice().amounts).to.deep.equal({ ...money, externalId: 'in_1', rank: 2 });
    expect(factOf('stripe', stripeEvent('invoice.paid', newInvoice(), { version: '2025-03-31.basil' })).amounts).to.deep.equal(
      invoice().amounts,
    );
    expect(invoice({ subtotal_excluding_tax: undefined, shipping_cost: null, total_tax_amounts: undefined }).amounts).to.deep.equal(
      invoice().amounts,
    );
  });

  it('reads ids of invoice, payment and subscription where each version has them', () => {
    expect(invoice()).to.deep.include({ ids: ['in_1', 'pi_1', 'ch_1'], subscription: 'sub_1', customer: 'cus_1' });
    expect(factOf('stripe', stripeEvent('invoice.paid', newInvoice()))).to.deep.include({ ids: ['in_1'], subscription: 'sub_1' });
    const payments = { data: [{ payment: { type: 'payment_intent', payment_intent: { id: 'pi_7' } } }] };
    expect(factOf('stripe', stripeEvent('invoice.paid', newInvoice({ payments }))).ids).to.deep.equal(['in_1', 'pi_7']);
  });

  it('counts only what was paid in money, in proportion, and nothing where nothing was', () => {
    expect(invoice({ amount_paid: 6248 }).amounts).to.include({ total: 6000, discount: 1000, paid: 6248 });
    expect(invoice({ amount_paid: 20_000 }).amounts).to.include({ total: 12_000, discount: 2000, paid: 20_000 });
    for (const changed of [{ amount_paid: 0 }, { total: 0, amount_paid: 0 }, { total: -500 }])
      expect(invoice(changed).amounts).to.equal(undefined);
  });

  it('subtracts tax that prices include', () => {
    const inclusive = {
      subtotal: 11_900,
      subtotal_excluding_tax: undefined,
      total: 11_900,
      amount_paid: 11_900,
      shipping_cost: null,
      amount_shipping: 0,
      total_tax_amounts: [{ amount: 1900, inclusive: true }],
    };
    expect(invoice(inclusive).amounts).to.include({ total: 10_000, discount: 0, tax: 1900 });
  });

  const currencies: [string, number, number][] = [
    ['JPY', 500, 500],
    ['ISK', 50_000, 500],
    ['UGX', 50_000, 500],
    ['KWD', 5120, 5120],
    ['HUF', 50_000, 50_000],
    ['MGA', 500, 50_000],
  ];
  for (const [currency, sent, expected] of currencies)
    it(`reads ${sent} of ${currency} as ${expected} of our minor units`, () => {
      const plain = { currency: currency.toLowerCase(), tax: 0, total_tax_amounts: [], shipping_cost: null, amount_shipping: 0 };
      const amounts = { subtotal: sent, subtotal_excluding_tax: sent, total: sent, amount_paid: sent };
      expect(invoice({ ...plain, ...amounts }, { currency }).amounts).to.include({ total: expected, paid: expected });
    });

  it('stores the ids of a payment in another currency, and refuses it', () => {
    expect(invoice({ currency: 'usd' })).to.deep.include({
      ids: ['in_1', 'pi_1', 'ch_1'],
      refusal: 'The currency of the payment is not EUR.',
    });
  });

  it('reads a paid checkout of one payment as an order, and that of a subscription as a referral', () => {
    const one = factOf('stripe', stripeEvent('checkout.session.completed', paymentSession({ invoice: 'in_1' })));
    expect(one.amounts).to.deep.equal({ ...money, externalId: 'pi_1', rank: 1 });
    expect(one.ids).to.deep.equal(['in_1', 'pi_1', 'cs_1']);
    const unpaid = factOf('stripe', stripeEvent('checkout.session.completed', paymentSession({ payment_status: 'unpaid' })));
    expect(unpaid.amounts).to.equal(undefined);
    const subscribed = factOf('stripe', stripeEvent('checkout.session.completed', session()));
    expect(subscribed).to.deep.include({ ids: [], subscription: 'sub_1', customer: 'cus_1' });
    expect(subscribed.checkoutOpenedAt).to.equal(now - 60_000);
  });

  const own = '0123456789abcdef0123456789abcdef';
  const referrals: [string, object, object][] = [
    ['a visitor as client_reference_id', { client_reference_id: own }, { visitor: own, coupons: [] }],
    ['a coupon as client_reference_id', { client_reference_id: 'coupon_TRAIL-10' }, { visitor: undefined, coupons: ['TRAIL-10'] }],
    [
      'metadata, where client_reference_id is the id of a customer',
      { client_reference_id: 'user_7', metadata: { affiliate_visitor: 'v-1', affiliate_coupon: '301', affiliate_campaign: 'autumn' } },
      { visitor: 'v-1', coupons: ['301'], campaign: 'autumn' },
    ],
    ['a promotion code by its id', { discounts: [{ coupon: null, promotion_code: 'promo_1' }] }, { codeIds: ['promo_1'], codes: [] }],
    [
      'a promotion code that is expanded',
      { total_details: { breakdown: { discounts: [{ discount: { promotion_code: { id: 'promo_1', code: 'TRAIL10' } } }] } } },
      { codeIds: ['promo_1'], codes: ['TRAIL10'] },
    ],
    ['nothing', { client_reference_id: null, metadata: null }, { visitor: undefined, coupons: [], codes: [], codeIds: [] }],
  ];
  for (const [title, changed, expected] of referrals)
    it(`reads ${title} as the referral of a checkout`, () => {
      expect(factOf('stripe', stripeEvent('checkout.session.completed', session(changed))).referral).to.deep.include(expected);
    });

  it('reads referrals of an invoice that a server made: metadata of the subscription, discounts of both versions', () => {
    const old = invoice({ subscription_details: { metadata: { affiliate_coupon: 'A1' } }, discount: { promotion_code: 'promo_1' } });
    expect(old.referral).to.deep.include({ coupons: ['A1'], codeIds: ['promo_1'] });
    const details = { subscription: 'sub_1', metadata: { affiliate_visitor: 'v-2' } };
    const discounts = [{ id: 'di_1', promotion_code: 'promo_2' }, 'di_2'];
    const recent = factOf('stripe', stripeEvent('invoice.paid', newInvoice({ parent: { subscription_details: details }, discounts })));
    expect(recent.referral).to.deep.include({ visitor: 'v-2', codeIds: ['promo_2'] });
  });

  it('ignores payments of test mode unless the site is for trying, refunds that succeed, and other events', () => {
    const connector = getConnector('stripe');
    const outcome = (payload: { type: string }, more: object = {}) => {
      const translated = translatePayload(connector, payload.type, payload, { ...options, ...more });
      return 'outcome' in translated ? translated.outcome : 'fact';
    };
    const test = stripeEvent('invoice.paid', oldInvoice(), { livemode: false });
    expect([outcome(test), outcome(test, { acceptsTests: true })]).to.deep.equal(['ignored', 'fact']);
    for (const livemode of [undefined, null, 'true', 1])
      expect(outcome({ ...test, livemode } as never), String(livemode)).to.equal('ignored');
    expect(outcome(stripeEvent('charge.refund.updated', failedRefund('re_1', 100, 'pi_1', 'succeeded')))).to.equal('ignored');
    expect(outcome(stripeEvent('customer.created', {}))).to.equal('ignored');
    expect(outcome(stripeEvent('toString', {}))).to.equal('ignored');
    expect(outcome(stripeEvent('invoice.paid', { id: 7 }))).to.equal('refused');
    expect(outcome(stripeEvent('charge.refunded', charge(1.5)))).to.equal('refused');
  });
});

describe('the Paddle connector', () => {
  const read = (changed: Parameters<typeof transaction>[0] = {}) =>
    factOf('paddle', paddleEvent('transaction.completed', transaction(changed)));

  it('reads the goods of a transaction, its subscription and its referral', () => {
    const custom_data = { affiliate_visitor: 'v-1', affiliate_coupon: 'TRAIL10' };
    const fact = read({ custom_data, discount_id: 'dsc_1' });
    expect(fact.amounts).to.include({
      total: 12_000,
      discount: 2000,
      tax: 1900,
      shipping: 0,
      paid: 11_900,
      placedAt: now,
      externalId: 'txn_1',
    });
    expect(fact).to.deep.include({ ids: ['txn_1'], subscription: 'sub_p1' });
    expect(fact.referral).to.deep.include({ visitor: 'v-1', coupons: ['TRAIL10'], codeIds: ['dsc_1'] });
  });

  it('counts what was paid without credit, in proportion; a transaction of 0 is no order', () => {
    expect(read({ totals: { credit: '5950', grand_total: '5950' } }).amounts).to.include({ total: 6000, discount: 1000, paid: 5950 });
    expect(read({ totals: { subtotal: '0', discount: '0', tax: '0', total: '0', grand_total: '0' } }).amounts).to.equal(undefined);
    expect(read({ totals: { credit: '11900', grand_total: '0' } }).amounts).to.equal(undefined);
    expect(read({ currency_code: 'USD' }).refusal).to.equal('The currency of the payment is not EUR.');
  });

  const adjustments: [string, string, string][] = [
    ['refund', 'pending_approval', 'none'],
    ['refund', 'approved', 'refund'],
    ['refund', 'rejected', 'none'],
    ['chargeback', 'approved', 'chargeback'],
    ['chargeback', 'reversed', 'reversed_chargeback'],
    ['chargeback_reverse', 'approved', 'reversal'],
  ];
  for (const [action, status, effect] of adjustments)
    it(`reads ${action} ${status} as ${effect}`, () => {
      const fact = factOf('paddle', paddleEvent('adjustment.updated', adjustment('adj_1', action, status, 5000)));
      expect(fact.reduction).to.include({ kind: 'adjustment', id: 'adj_1', amount: 5000, effect });
    });

  for (const action of ['credit', 'credit_reverse', 'chargeback_warning', 'chargeback_warning_reverse'])
    it(`ignores ${action}`, () => {
      const payload = paddleEvent('adjustment.created', adjustment('adj_1', action, 'approved', 5000));
      expect(translatePayload(getConnector('paddle'), payload.event_type, payload, options)).to.include({ outcome: 'ignored' });
    });

  it('reads which code a discount has', () => {
    const payload = paddleEvent('discount.created', { id: 'dsc_1', code: 'TRAIL10' });
    const translated = translatePayload(getConnector('paddle'), payload.event_type, payload, options);
    expect('fact' in translated && translated.fact).to.deep.equal({ kind: 'code', id: 'dsc_1', code: 'TRAIL10', occurredAt: now });
  });
});
