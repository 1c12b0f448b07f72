import type { Minor } from '../domain/money.ts';
import type { OrderStatus } from '../domain/orders/order.ts';
import { goodsIn, type PlatformOrder, type PlatformRefund, type RefundParts } from '../domain/store/update.ts';
import type { Connector, TranslationOptions } from './connector.ts';
import {
  absolute,
  type Fields,
  findId,
  findObject,
  PayloadError,
  readCount,
  readDecimal,
  readEmail,
  readId,
  readList,
  readMoment,
  readObject,
  readText,
  shortText,
  sum,
  toMinor,
} from './payload.ts';
import { hasHmac } from './signature.ts';
import { platformTitles } from './titles.ts';

const orderTopics = ['orders/create', 'orders/paid', 'orders/updated', 'orders/cancelled', 'orders/fulfilled'];

/** Shopify sends the order of its Admin REST API. Its retries have the original payload, which may be hours old. */
export const shopify: Connector = {
  title: platformTitles.shopify,
  setup: {
    usesOurSecret: false,
    steps: [
      'In Shopify, open Settings, Notifications, Webhooks.',
      'Create one webhook for each of these events: Order creation, Order payment, Order update, Order cancellation, Order fulfillment, Refund create.',
      'Choose the format JSON, and enter this URL: <url>',
      'Shopify then shows the key that it signs with. Set it as the secret of this connection.',
    ],
    examples: ["affiliate store connect shopify --name 'Fjell'"],
  },
  isSigned: (request, secret) => hasHmac('x-shopify-hmac-sha256', request, secret),
  isPing: () => false,
  findTopic: (headers) => String(headers['x-shopify-topic'] ?? ''),
  translate(topic, payload, options) {
    if (topic === 'refunds/create') return readRefund(payload, options);
    if (!orderTopics.includes(topic) || payload['test'] === true) return null;
    return readOrder(payload, options);
  },
  findOrderId: (topic, payload) => findId(payload, topic === 'refunds/create' ? 'order_id' : 'id'),
  toOrderNumber: Number,
  neededTopics: [],
  pull: null,
  whyNoPull: 'Shopify repeats a webhook that failed for four hours.',
};

function readRefund(payload: Fields, { currency }: TranslationOptions): PlatformRefund {
  const refundId = readId(payload, 'id');
  const [withTax, withoutTax] = [partsOf(payload, true, currency), partsOf(payload, false, currency)];
  return { kind: 'refund', externalId: readId(payload, 'order_id'), refundId, withTax, withoutTax };
}

function readOrder(payload: Fields, options: TranslationOptions): PlatformOrder {
  const { currency } = options;
  if (readText(payload, 'currency') !== currency) throw new PayloadError(`The currency of the order is not ${currency}.`);
  const amount = (name: string) => toMinor(readDecimal(payload, name), currency);
  const paid = Math.max(0, amount('total_price'));
  const includesTax = payload['taxes_included'] === true;
  const lines = readList(payload, 'line_items');
  const lineTaxes = includesTax ? lines.flatMap((line) => readList(line, 'tax_lines').map((tax) => readDecimal(tax, 'price'))) : [];
  const total = toMinor(readDecimal(payload, 'total_line_items_price') - sum(lineTaxes), currency);
  const discount = Math.min(discountOf(lines, currency) ?? amount('total_discounts'), total);
  const refunds = readList(payload, 'refunds').map((refund): [string, Minor] => {
    const parts = partsOf(refund, includesTax, currency, payload);
    return [readId(refund, 'id'), goodsIn(parts, total - discount, paid)];
  });
  const attributes = readList(payload, 'note_attributes');
  const attribute = (name: string, maxLength: number): string | undefined => {
    const found = attributes.find((entry) => entry['name'] === name);
    return found && shortText(readText(found, 'value'), maxLength);
  };
  return {
    kind: 'order',
    externalId: readId(payload, 'id'),
    order: {
      placedAt: readMoment(payload, 'created_at'),
      status: statusOf(payload, options),
      total,
      discount,
      shipping: toMinor(readMoney(payload, 'total_shipping_price_set'), currency),
      tax: amount('total_tax'),
      quantity: lines.reduce((quantity, line) => quantity + readCount(line, 'quantity'), 0),
      campaign: attribute('affiliate_campaign', 100),
      visitor: attribute('affiliate_visitor', 200),
      customerEmail: readEmail(payload, 'email') ?? readEmail(findObject(payload, 'customer'), 'email'),
    },
    codes: readList(payload, 'discount_codes').flatMap((discount) => shortText(readText(discount, 'code'), 100) ?? []),
    modifiedAt: readMoment(payload, 'updated_at'),
    isTrashed: false,
    isRestored: false,
    refunds: { byId: Object.fromEntries(refunds), isComplete: false, goods: null },
    includesTax,
    paid,
    notice: null,
  };
}

/** Without discounts on shipping, which `total_discounts` includes. Null where a line does not have its part. */
function discountOf(lines: readonly Fields[], currency: string): Minor | null {
  if (lines.length === 0 || !lines.every((line) => Array.isArray(line['discount_allocations']))) return null;
  const parts = lines.flatMap((line) => readList(line, 'discount_allocations'));
  return toMinor(sum(parts.map((part) => readDecimal(part, 'amount'))), currency);
}

/** What a refund gave back. `order` says whether it is paid, and what another currency of the customer is worth. */
function partsOf(refund: Fields, includesTax: boolean, currency: string, order: Fields = {}): RefundParts {
  const lines = readList(refund, 'refund_line_items');
  const subtotal = sum(lines.map((line) => readDecimal(line, 'subtotal')));
  const tax = sum(lines.map((line) => readDecimal(line, 'total_tax')));
  const payments = readList(refund, 'transactions').filter(({ kind, status }) => kind === 'refund' && status === 'success');
  const amounts = payments.map((payment) => inShopMoney(payment, currency, order));
  const paid = sum(amounts.map((amount) => amount ?? 0n));
  const gross = subtotal + (includesTax ? 0n : tax);
  const forLines = paid - refundedShipping(refund, includesTax);
  const given = forLines > 0n ? forLines : 0n;
  const minor = (amount: bigint): Minor => Math.max(0, toMinor(amount, currency));
  const goods = subtotal - (includesTax ? tax : 0n);
  const isKnown = Array.isArray(refund['transactions']) && !amounts.includes(null);
  // A restocking fee, or a return without money: the shop keeps a part of what the lines cost.
  // What is taken off an order before it is paid has no money to give back.
  const isUnpaid = ['pending', 'authorized'].includes(readText(order, 'financial_status'));
  const isKept = gross > 0n && isKnown && !isUnpaid && given < gross;
  return { goods: minor(isKept ? (goods * given) / gross : goods), rest: minor(given - gross) };
}

/** Null where the order does not say what the currency of the customer is worth. */
function inShopMoney(payment: Fields, currency: string, order: Fields): bigint | null {
  const amount = readDecimal(payment, 'amount');
  if (['', currency].includes(readText(payment, 'currency'))) return amount;
  const orderTotal = readMoney(order, 'total_price_set', 'presentment_money');
  return orderTotal > 0n ? (amount * readMoney(order, 'total_price_set')) / orderTotal : null;
}

/** With its tax. Until API version 2024-10 it is an adjustment of the order, below zero and without tax. */
function refundedShipping(refund: Fields, includesTax: boolean): bigint {
  const lines = readList(refund, 'refund_shipping_lines');
  const adjustments = readList(refund, 'order_adjustments').filter(({ kind }) => kind === 'shipping_refund');
  return sum([
    ...lines.map((line) => readMoney(line, 'subtotal_amount_set') + (includesTax ? 0n : readMoney(line, 'tax_amount_set'))),
    ...adjustments.map((adjustment) => absolute(readDecimal(adjustment, 'amount') + readDecimal(adjustment, 'tax_amount'))),
  ]);
}

/** In the currency of the shop; the customer may have paid in another. */
function readMoney(fields: Fields, name: string, money = 'shop_money'): bigint {
  const set = readObject(fields[name] ?? {}, name);
  return readDecimal(readObject(set[money] ?? {}, money), 'amount');
}

function statusOf(payload: Fields, { completedWhen }: TranslationOptions): OrderStatus {
  const financial = readText(payload, 'financial_status');
  if ((payload['cancelled_at'] ?? null) !== null || financial === 'voided') return 'cancelled';
  if (financial === 'refunded') return 'refunded';
  if (financial !== 'paid' && financial !== 'partially_refunded') return 'on-hold';
  return completedWhen === 'paid' || readText(payload, 'fulfillment_status') === 'fulfilled' ? 'completed' : 'processing';
}
