import { decimalsOf } from '../domain/money.ts';
import type { BillingFact, PaymentAmounts, PaymentFact, Reduction } from '../domain/store/payment.ts';
import { findTextId, fromUnits, readEventType, readReferralKeys, readTextId, toPaymentAmounts } from './billing.ts';
import type { Connector, TranslationOptions } from './connector.ts';
import { type Fields, findObject, PayloadError, readEmail, readMoment, readObject, readText, shortText } from './payload.ts';
import { hasTimedHmac } from './signature.ts';
import { platformTitles } from './titles.ts';

const signature = { header: 'paddle-signature', separator: ';', time: 'ts', signature: 'h1', joint: ':' };

type ReadEvent = (data: Fields, context: TranslationOptions & { occurredAt: number }) => BillingFact | null;

const readers: Readonly<Record<string, ReadEvent>> = {
  'transaction.completed': readTransaction,
  'adjustment.created': readAdjustment,
  'adjustment.updated': readAdjustment,
  'discount.created': readDiscount,
  'discount.updated': readDiscount,
};

/** Paddle Billing sends the entity that an event is about, with amounts as texts in the smallest unit of the currency. */
export const paddle: Connector = {
  title: platformTitles.paddle,
  setup: {
    usesOurSecret: false,
    steps: [
      'In Paddle, open Developer tools, Notifications, and choose New destination.',
      'Choose the notification type Webhook, and enter this URL: <url>',
      `Select these events: ${Object.keys(readers).join(', ')}. Save the destination.`,
      'Edit the destination: it shows the Secret key, which begins with pdl_ntfset_. Set it as the secret of this connection.',
    ],
    examples: [],
  },
  neededTopics: [
    { topics: ['transaction.completed'], purpose: 'record payments' },
    { topics: ['adjustment.created', 'adjustment.updated'], purpose: 'take commission back after a refund', isRare: true },
  ],
  isSigned: (request, secret) => hasTimedHmac(signature, request, secret),
  isPing: () => false,
  findTopic: (_headers, payload) => readEventType(payload, 'event_type'),
  translate(topic, payload, options) {
    const read = Object.hasOwn(readers, topic) ? readers[topic] : undefined;
    return read ? read(readObject(payload['data'], 'data'), { ...options, occurredAt: readMoment(payload, 'occurred_at') }) : null;
  },
  findOrderId: () => null,
  toOrderNumber: null,
  pull: null,
  whyNoPull: 'Paddle repeats a webhook that failed for three days.',
};

function readUnits(fields: Fields, name: string): bigint {
  const text = readText(fields, name);
  if (!/^-?\d{1,15}$/.test(text)) throw new PayloadError(`${name} is not an amount.`);
  return BigInt(text);
}

function readTransaction(transaction: Fields, { currency, occurredAt }: TranslationOptions & { occurredAt: number }): PaymentFact {
  const id = readTextId(transaction, 'id');
  const custom = findObject(transaction, 'custom_data');
  const { visitor, campaign, coupon } = readReferralKeys(custom);
  const discountId = findTextId(transaction, 'discount_id');
  const code = shortText(readText(findObject(transaction, 'discount'), 'code'), 100);
  const isForeign = readText(transaction, 'currency_code') !== currency;
  return {
    kind: 'payment',
    ids: [id],
    occurredAt,
    subscription: findTextId(transaction, 'subscription_id'),
    // Paddle sends the id of the customer alone, so the shop has to pass the email.
    customerEmail: readEmail(custom, 'customer_email'),
    referral: {
      visitor,
      campaign,
      coupons: coupon === undefined ? [] : [coupon],
      codes: code === undefined ? [] : [code],
      codeIds: discountId === undefined ? [] : [discountId],
    },
    ...(isForeign
      ? { refusal: `The currency of the payment is not ${currency}.` }
      : { amounts: readTransactionAmounts(transaction, id, occurredAt, currency) }),
  };
}

/** Credit of the customer is part of `total`, but not of `grand_total`. */
function readTransactionAmounts(transaction: Fields, id: string, occurredAt: number, currency: string): PaymentAmounts | undefined {
  const totals = readObject(readObject(transaction['details'], 'details')['totals'], 'totals');
  const [goods, total] = [readUnits(totals, 'subtotal'), readUnits(totals, 'total')];
  const paid = typeof totals['grand_total'] === 'string' ? readUnits(totals, 'grand_total') : total;
  const billed = { goods, net: goods - readUnits(totals, 'discount'), shipping: 0n, tax: readUnits(totals, 'tax'), total, paid };
  const placedAt = readText(transaction, 'billed_at') === '' ? occurredAt : readMoment(transaction, 'billed_at');
  return toPaymentAmounts(billed, { externalId: id, placedAt, rank: 1, decimals: decimalsOf(currency), currency });
}

/** In the order in which an adjustment has them. */
const statuses = ['pending_approval', 'rejected', 'approved', 'reversed'];

const effects: Readonly<Record<string, Extract<Reduction, { kind: 'adjustment' }>['effect']>> = {
  'refund approved': 'refund',
  'chargeback approved': 'chargeback',
  'chargeback reversed': 'reversed_chargeback',
  'chargeback_reverse approved': 'reversal',
};

/** Credit stays with the shop, and a warning takes no money. */
function readAdjustment(adjustment: Fields, { currency, occurredAt }: TranslationOptions & { occurredAt: number }): PaymentFact | null {
  const [action, status] = [readText(adjustment, 'action'), readText(adjustment, 'status')];
  if (!['refund', 'chargeback', 'chargeback_reverse'].includes(action)) return null;
  const subtotal = readUnits(readObject(adjustment['totals'], 'totals'), 'subtotal');
  return {
    kind: 'payment',
    ids: [readTextId(adjustment, 'transaction_id')],
    occurredAt,
    reduction: {
      kind: 'adjustment',
      id: readTextId(adjustment, 'id'),
      at: statuses.indexOf(status),
      amount: fromUnits(subtotal < 0n ? -subtotal : subtotal, currency),
      effect: effects[`${action} ${status}`] ?? 'none',
    },
  };
}

function readDiscount(discount: Fields, { occurredAt }: { occurredAt: number }): BillingFact | null {
  const code = shortText(readText(discount, 'code'), 100);
  return code === undefined ? null : { kind: 'code', id: readTextId(discount, 'id'), code, occurredAt };
}
