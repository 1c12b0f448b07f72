import { type Minor, share } from '../domain/money.ts';
import { type OrderStatus, orderStatuses } from '../domain/orders/order.ts';
import { type PlatformCancellation, type PlatformOrder, type Refunds, unknownStatusNotice } from '../domain/store/update.ts';
import type { Connector, TranslationOptions } from './connector.ts';
import {
  absolute,
  type Fields,
  PayloadError,
  readCount,
  readDecimal,
  readId,
  readList,
  readMoment,
  readObject,
  readText,
  shortText,
  sum,
  toMinor,
} from './payload.ts';

/** Orders that the customer has not placed yet. */
const drafts = ['checkout-draft', 'draft', 'auto-draft', 'new'];

/** WooCommerce sends the order of its REST API v3: amounts as decimal texts, dates in UTC without an offset. */
export const woocommerce: Connector = {
  signatureHeader: 'x-wc-webhook-signature',
  topicHeader: 'x-wc-webhook-topic',
  translate(topic, payload, options) {
    if (topic === 'order.deleted') return readDeletion(payload);
    if (!['order.created', 'order.updated', 'order.restored'].includes(topic) || drafts.includes(readText(payload, 'status'))) return null;
    return readOrder(payload, topic === 'order.restored', options);
  },
};

/** The signature does not cover the topic: with more than the number, it is another webhook that was sent again under this topic. */
function readDeletion(payload: Fields): PlatformCancellation {
  if (Object.keys(payload).length > 1) throw new PayloadError('A deleted order has nothing but its id: this is not a deletion.');
  return { kind: 'cancellation', orderId: readId(payload, 'id') };
}

function readOrder(payload: Fields, isRestored: boolean, options: TranslationOptions): PlatformOrder {
  const { currency } = options;
  if (readText(payload, 'currency') !== currency) throw new PayloadError(`The currency of the order is not ${currency}.`);
  const amount = (name: string) => toMinor(readDecimal(payload, name), currency);
  const status = readText(payload, 'status');
  if (status === '') throw new PayloadError('status is missing.');
  const lines = readList(payload, 'line_items');
  const total = toMinor(sum(lines.map((line) => readDecimal(line, 'subtotal'))), currency);
  const discount = amount('discount_total');
  const paid = Math.max(0, amount('total'));
  return {
    kind: 'order',
    order: {
      orderId: readId(payload, 'id'),
      placedAt: readMoment(payload, 'date_created_gmt', 'Z'),
      status: statusOf(status, options) ?? 'processing',
      total,
      discount,
      shipping: amount('shipping_total'),
      tax: amount('total_tax'),
      quantity: lines.reduce((quantity, line) => quantity + readCount(line, 'quantity'), 0),
      visitor: visitorOf(payload),
    },
    codes: readList(payload, 'coupon_lines').flatMap((coupon) => shortText(readText(coupon, 'code'), 100) ?? []),
    modifiedAt: readMoment(payload, 'date_modified_gmt', 'Z'),
    isTrashed: status === 'trash',
    isRestored,
    refunds: {
      byId: Object.fromEntries(readRefunds(payload, currency)),
      isComplete: true,
      // A refund includes tax and shipping; its part of the goods is that of the order.
      goods: { net: Math.max(0, total - discount), orderTotal: paid },
    },
    includesTax: false,
    paid,
    notice: statusOf(status, options) === null ? unknownStatusNotice(status) : null,
  };
}

/** A refund with the id 0 was deleted. */
const readRefunds = (payload: Fields, currency: string): [string, number][] =>
  readList(payload, 'refunds')
    .filter((refund) => refund['id'] !== 0)
    .map((refund) => [String(readId(refund, 'id')), toMinor(absolute(readDecimal(refund, 'total')), currency)]);

/** Null for a status that neither the platform nor the setting knows. */
function statusOf(status: string, { statuses }: TranslationOptions): OrderStatus | null {
  if (status === 'trash') return 'cancelled';
  if (orderStatuses.includes(status as OrderStatus)) return status as OrderStatus;
  return Object.hasOwn(statuses, status) ? (statuses[status] as OrderStatus) : null;
}

function visitorOf(payload: Fields): string | undefined {
  const meta = readList(payload, 'meta_data').find((entry) => entry['key'] === '_affiliate_visitor');
  return meta && shortText(readText(meta, 'value'), 200);
}

/** The fields of an order that are read here; a pull requests no others, so no customer data is transferred. */
export const orderFields = [
  ...['id', 'status', 'currency', 'date_created_gmt', 'date_modified_gmt', 'discount_total', 'shipping_total', 'total_tax', 'total'],
  ...['line_items', 'coupon_lines', 'refunds', 'meta_data'],
];
export const refundFields = ['id', 'line_items', 'shipping_lines', 'fee_lines'];

/** Null where the payload has no valid date. */
export function readModifiedAt(payload: unknown): number | null {
  try {
    return readMoment(readObject(payload, 'The order'), 'date_modified_gmt', 'Z');
  } catch {
    return null;
  }
}

/**
 * The refunded goods, line by line, from the refunds that the shop lists for the order. A refund of an amount without lines counts in
 * proportion, like that of a webhook. Null unless these are exactly the refunds of the order: it has changed meanwhile.
 */
export function readExactRefund({ refunds }: PlatformOrder, listed: readonly unknown[], currency: string): Minor | null {
  try {
    const found = new Map(listed.map((entry) => readObject(entry, 'A refund')).map((refund) => [String(readId(refund, 'id')), refund]));
    const ids = Object.keys(refunds.byId);
    if (found.size !== ids.length || !ids.every((id) => found.has(id))) return null;
    return ids.reduce((total, id) => total + goodsOf(found.get(id) as Fields, refunds.byId[id] ?? 0, refunds.goods, currency), 0);
  } catch (error) {
    if (error instanceof PayloadError) return null;
    throw error;
  }
}

function goodsOf(refund: Fields, amount: Minor, goods: Refunds['goods'], currency: string): Minor {
  const lines = readList(refund, 'line_items');
  if (lines.length + readList(refund, 'shipping_lines').length + readList(refund, 'fee_lines').length > 0)
    return toMinor(absolute(sum(lines.map((line) => readDecimal(line, 'total')))), currency);
  return goods && goods.orderTotal > 0 ? share(amount, goods.net, goods.orderTotal) : 0;
}
