import { decimalsOf, type Minor } from '../domain/money.ts';
import type { BillingFact, PaymentAmounts, PaymentFact, Referral } from '../domain/store/payment.ts';
import { findTextId, fromUnits, readEventType, readReferralKeys, readTextId, toPaymentAmounts } from './billing.ts';
import type { Connector, TranslationOptions } from './connector.ts';
import { type Fields, findObject, PayloadError, readCount, readEmail, readList, readObject, readText, shortText, sum } from './payload.ts';
import { hasTimedHmac } from './signature.ts';
import { platformTitles } from './titles.ts';

const signature = { header: 'stripe-signature', separator: ',', time: 't', signature: 'v1', joint: '.' };

interface EventContext extends TranslationOptions {
  occurredAt: number;
}

type ReadEvent = (object: Fields, context: EventContext) => BillingFact | null;

const readers: Readonly<Record<string, ReadEvent>> = {
  'checkout.session.completed': readSession,
  'checkout.session.async_payment_succeeded': readSession,
  'promotion_code.created': readPromotionCode,
  'promotion_code.updated': readPromotionCode,
  'invoice.paid': readInvoice,
  'invoice.payment_succeeded': readInvoice,
  'invoice_payment.paid': readInvoicePayment,
  'charge.refunded': readCharge,
  'charge.refund.updated': readRefund,
  'refund.updated': readRefund,
  'refund.failed': readRefund,
  'charge.dispute.funds_withdrawn': (dispute, context) => readDispute(dispute, false, context),
  'charge.dispute.funds_reinstated': (dispute, context) => readDispute(dispute, true, context),
};

/** Stripe sends the object that an event is about in the API version of the endpoint, which may be years old. */
export const stripe: Connector = {
  title: platformTitles.stripe,
  setup: {
    usesOurSecret: false,
    steps: [
      'In the Stripe Dashboard, open Developers, Webhooks, and choose Add destination.',
      `Select these events: ${Object.keys(readers)
        .filter((topic) => !topic.startsWith('refund.'))
        .join(', ')}.`,
      'Choose Webhook endpoint, and enter this Endpoint URL: <url>',
      'Stripe then shows the Signing secret, which begins with whsec_. Set it as the secret of this connection.',
    ],
    examples: ["affiliate store connect stripe --name 'Fjell Cloud'"],
  },
  neededTopics: [
    { topics: ['checkout.session.completed'], purpose: 'link a customer to the affiliate' },
    { topics: ['invoice.paid', 'invoice.payment_succeeded'], purpose: 'record payments of subscriptions' },
    { topics: ['charge.refunded'], purpose: 'take commission back after a refund', isRare: true },
  ],
  paymentTopics: ['checkout.session.completed', 'invoice.paid', 'invoice_payment.paid'],
  isSigned: (request, secret) => hasTimedHmac(signature, request, secret),
  isPing: () => false,
  findTopic: (_headers, payload) => readEventType(payload, 'type'),
  translate(topic, payload, options) {
    const read = Object.hasOwn(readers, topic) ? readers[topic] : undefined;
    if (!read || (payload['livemode'] !== true && !options.acceptsTests)) return null;
    const object = readObject(readObject(payload['data'], 'data')['object'], 'data.object');
    return read(object, { ...options, occurredAt: readSeconds(payload, 'created') });
  },
  findOrderId: () => null,
  toOrderNumber: null,
  pull: null,
  whyNoPull: 'Stripe repeats a webhook that failed for three days.',
};

const isFields = (payload: unknown): payload is Fields => typeof payload === 'object' && payload !== null;

function readSeconds(fields: Fields, name: string): number {
  const seconds = readCount(fields, name);
  if (seconds <= 0) throw new PayloadError(`${name} is not a date.`);
  return seconds * 1000;
}

/** Stripe's decimals where they are not those of ISO 4217. */
const ownDecimals: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };
const decimalsAtStripe = (currency: string): number =>
  (Object.hasOwn(ownDecimals, currency) ? ownDecimals[currency] : undefined) ?? decimalsOf(currency);

const readAmount = (fields: Fields, name: string): bigint => BigInt(readCount(fields, name));
const readMinor = (fields: Fields, name: string, { currency }: TranslationOptions): Minor =>
  fromUnits(readAmount(fields, name), currency, decimalsAtStripe(currency));

/** The amounts, or why there are none. */
function readMoney(
  object: Fields,
  context: EventContext,
  read: (identity: { decimals: number; currency: string }) => PaymentAmounts | undefined,
): Pick<PaymentFact, 'amounts' | 'refusal'> {
  const { currency } = context;
  if (readText(object, 'currency').toUpperCase() !== currency) return { refusal: `The currency of the payment is not ${currency}.` };
  return { amounts: read({ decimals: decimalsAtStripe(currency), currency }) };
}

const present = (ids: readonly (string | undefined)[]): string[] => [...new Set(ids.filter((id) => id !== undefined))];

function readSession(session: Fields, context: EventContext): PaymentFact {
  const id = readTextId(session, 'id');
  const intent = findTextId(session, 'payment_intent');
  const invoice = findTextId(session, 'invoice');
  const isPayment = readText(session, 'mode') === 'payment';
  const isPaid = isPayment && readText(session, 'payment_status') === 'paid';
  return {
    kind: 'payment',
    // Without an invoice, a checkout of a subscription is not a payment.
    ids: isPayment || invoice !== undefined ? present([invoice, intent, id]) : [],
    occurredAt: context.occurredAt,
    subscription: findTextId(session, 'subscription'),
    customer: findTextId(session, 'customer'),
    customerEmail: readEmail(findObject(session, 'customer_details'), 'email') ?? readEmail(session, 'customer_email'),
    referral: readSessionReferral(session),
    checkoutOpenedAt: readSeconds(session, 'created'),
    ...(isPaid && readMoney(session, context, (money) => readSessionAmounts(session, intent ?? id, context, money))),
  };
}

function readSessionAmounts(
  session: Fields,
  externalId: string,
  { occurredAt }: EventContext,
  money: { decimals: number; currency: string },
): PaymentAmounts | undefined {
  const details = findObject(session, 'total_details');
  const [total, tax] = [readAmount(session, 'amount_total'), readAmount(details, 'amount_tax')];
  const shipping = readShipping(session, readAmount(details, 'amount_shipping'));
  const net = total - tax - shipping;
  const goods = net + readAmount(details, 'amount_discount');
  return toPaymentAmounts({ goods, net, shipping, tax, total, paid: total }, { externalId, placedAt: occurredAt, rank: 1, ...money });
}

/** Without its tax. */
function readShipping(object: Fields, otherwise: bigint): bigint {
  const cost = findObject(object, 'shipping_cost');
  return typeof cost['amount_total'] === 'number' ? readAmount(cost, 'amount_total') - readAmount(cost, 'amount_tax') : otherwise;
}

/** Of `affiliate.js`, or brought by a link of the service. */
const ownVisitor = /^(?:[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/** `client_reference_id` may be the shop's own id of the customer: then the metadata say who the visitor is. */
function readSessionReferral(session: Fields): Referral {
  const reference = shortText(readText(session, 'client_reference_id'), 200);
  const { visitor, campaign, coupon } = readReferralKeys(findObject(session, 'metadata'));
  const named = reference?.startsWith('coupon_') ? reference.slice('coupon_'.length) : undefined;
  const referred = named === undefined ? reference : undefined;
  return {
    visitor: referred !== undefined && ownVisitor.test(referred) ? referred : (visitor ?? referred),
    campaign,
    coupons: present([named, coupon]),
    ...readCodes([
      ...readList(session, 'discounts'),
      ...readList(findObject(findObject(session, 'total_details'), 'breakdown'), 'discounts').map((entry) => findObject(entry, 'discount')),
    ]),
  };
}

/** Promotion codes of discounts, as ids or as objects that are sent in their place. */
function readCodes(discounts: readonly Fields[]): Pick<Referral, 'codes' | 'codeIds'> {
  return {
    codes: discounts.flatMap((discount) => shortText(readText(findObject(discount, 'promotion_code'), 'code'), 100) ?? []),
    codeIds: present(discounts.map((discount) => findTextId(discount, 'promotion_code'))),
  };
}

/** Before 2025-03-31 the subscription and the payment are in the invoice itself, since then in `parent` and in events of their own. */
function readInvoice(invoice: Fields, context: EventContext): PaymentFact {
  const id = readTextId(invoice, 'id');
  const details = findObject(findObject(invoice, 'parent'), 'subscription_details');
  const payments = readList(findObject(invoice, 'payments'), 'data').map((entry) => findObject(entry, 'payment'));
  const metadata = [invoice, findObject(invoice, 'subscription_details'), details].map((fields) => findObject(fields, 'metadata'));
  const { visitor, campaign, coupon } = readReferralKeys(Object.assign({}, ...metadata));
  const paidAt = findObject(invoice, 'status_transitions')['paid_at'];
  const placedAt = typeof paidAt === 'number' ? paidAt * 1000 : context.occurredAt;
  return {
    kind: 'payment',
    ids: present([id, ...[invoice, ...payments].flatMap((fields) => [findTextId(fields, 'payment_intent'), findTextId(fields, 'charge')])]),
    occurredAt: context.occurredAt,
    subscription: findTextId(invoice, 'subscription') ?? findTextId(details, 'subscription'),
    customer: findTextId(invoice, 'customer'),
    customerEmail: readEmail(invoice, 'customer_email'),
    referral: { visitor, campaign, coupons: present([coupon]), ...readCodes([findObject(invoice, 'discount'), ...listObjects(invoice)]) },
    ...readMoney(invoice, context, (money) => readInvoiceAmounts(invoice, { externalId: id, placedAt, rank: 2, ...money })),
  };
}

/** Discounts are ids unless they are expanded. */
const listObjects = ({ discounts }: Fields): Fields[] => (Array.isArray(discounts) ? discounts.filter(isFields) : []);

function readInvoiceAmounts(
  invoice: Fields,
  identity: Pick<PaymentAmounts, 'externalId' | 'placedAt' | 'rank'> & { decimals: number; currency: string },
): PaymentAmounts | undefined {
  const taxes = [...readList(invoice, 'total_taxes'), ...readList(invoice, 'total_tax_amounts')];
  const amountsOf = (entries: readonly Fields[]): bigint => sum(entries.map((entry) => readAmount(entry, 'amount')));
  const included = amountsOf(taxes.filter((entry) => entry['inclusive'] === true || entry['tax_behavior'] === 'inclusive'));
  const total = readAmount(invoice, 'total');
  const tax = taxes.length > 0 ? amountsOf(taxes) : readAmount(invoice, 'tax');
  const shipping = readShipping(invoice, readAmount(invoice, 'amount_shipping'));
  const hasGoods = typeof invoice['subtotal_excluding_tax'] === 'number';
  const goods = hasGoods ? readAmount(invoice, 'subtotal_excluding_tax') : readAmount(invoice, 'subtotal') - included;
  const billed = { goods, net: total - tax - shipping, shipping, tax, total, paid: readAmount(invoice, 'amount_paid') };
  return toPaymentAmounts(billed, identity);
}

function readInvoicePayment(paid: Fields, { occurredAt }: EventContext): PaymentFact {
  const sources = [paid, findObject(paid, 'payment')];
  const ids = sources.flatMap((fields) => [findTextId(fields, 'payment_intent'), findTextId(fields, 'charge')]);
  return { kind: 'payment', ids: present([readTextId(paid, 'invoice'), ...ids]), occurredAt };
}

function readCharge(charge: Fields, context: EventContext): PaymentFact {
  const id = readTextId(charge, 'id');
  const { occurredAt } = context;
  return {
    kind: 'payment',
    ids: present([findTextId(charge, 'invoice'), findTextId(charge, 'payment_intent'), id]),
    occurredAt,
    reduction: { kind: 'refunds', id, at: occurredAt, amount: readMinor(charge, 'amount_refunded', context) },
    chargedAt: readSeconds(charge, 'created'),
  };
}

function readRefund(refund: Fields, context: EventContext): PaymentFact | null {
  if (!['failed', 'canceled'].includes(readText(refund, 'status'))) return null;
  const chargeId = readTextId(refund, 'charge');
  return {
    kind: 'payment',
    ids: present([findTextId(refund, 'payment_intent'), chargeId]),
    occurredAt: context.occurredAt,
    reduction: {
      kind: 'failed_refund',
      id: readTextId(refund, 'id'),
      chargeId,
      at: context.occurredAt,
      amount: readMinor(refund, 'amount', context),
    },
  };
}

function readDispute(dispute: Fields, isReinstated: boolean, context: EventContext): PaymentFact {
  const { occurredAt } = context;
  const amount = isReinstated ? 0 : readMinor(dispute, 'amount', context);
  return {
    kind: 'payment',
    ids: present([findTextId(dispute, 'payment_intent'), readTextId(dispute, 'charge')]),
    occurredAt,
    reduction: { kind: 'dispute', id: readTextId(dispute, 'id'), at: occurredAt, amount },
  };
}

function readPromotionCode(promotion: Fields, { occurredAt }: EventContext): BillingFact | null {
  const code = shortText(readText(promotion, 'code'), 100);
  return code === undefined ? null : { kind: 'code', id: readTextId(promotion, 'id'), code, occurredAt };
}
