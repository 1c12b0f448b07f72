import { type OrderStatus, orderStatuses } from '../domain/orders/order.ts';
import type { PlatformOrder } from '../domain/store/update.ts';
import type { Connector, TranslationOptions } from './connector.ts';
import {
  type Fields,
  PayloadError,
  readCount,
  readDecimal,
  readId,
  readList,
  readMoment,
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
    // Of a deleted order there is nothing but the number.
    if (topic === 'order.deleted') return { kind: 'cancellation', orderId: readId(payload, 'id') };
    if (!['order.created', 'order.updated', 'order.restored'].includes(topic) || drafts.includes(readText(payload, 'status'))) return null;
    return readOrder(payload, topic === 'order.restored', options);
  },
};

function readOrder(payload: Fields, isForced: boolean, options: TranslationOptions): PlatformOrder {
  const { currency } = options;
  if (readText(payload, 'currency') !== currency) throw new PayloadError(`The currency of the order is not ${currency}.`);
  const amount = (name: string) => toMinor(readDecimal(payload, name), currency);
  const lines = readList(payload, 'line_items');
  const total = toMinor(sum(lines.map((line) => readDecimal(line, 'subtotal'))), currency);
  const discount = amount('discount_total');
  return {
    kind: 'order',
    order: {
      orderId: readId(payload, 'id'),
      placedAt: readMoment(payload, 'date_created_gmt', 'Z'),
      status: statusOf(readText(payload, 'status'), options),
      total,
      discount,
      shipping: amount('shipping_total'),
      tax: amount('total_tax'),
      quantity: lines.reduce((quantity, line) => quantity + readCount(line, 'quantity'), 0),
      visitor: visitorOf(payload),
    },
    codes: readList(payload, 'coupon_lines').flatMap((coupon) => shortText(readText(coupon, 'code'), 100) ?? []),
    modifiedAt: readMoment(payload, 'date_modified_gmt', 'Z'),
    isForced,
    refunds: {
      byId: Object.fromEntries(readRefunds(payload, currency)),
      isComplete: true,
      // A refund includes tax and shipping; its part of the goods is that of the order.
      goods: { net: Math.max(0, total - discount), orderTotal: Math.max(0, amount('total')) },
    },
  };
}

/** A refund with the id 0 was deleted. */
const readRefunds = (payload: Fields, currency: string): [string, number][] =>
  readList(payload, 'refunds')
    .filter((refund) => refund['id'] !== 0)
    .map((refund) => [String(readId(refund, 'id')), Math.abs(toMinor(readDecimal(refund, 'total'), currency))]);

function statusOf(status: string, { statuses }: TranslationOptions): OrderStatus {
  if (status === 'trash') return 'cancelled';
  if (orderStatuses.includes(status as OrderStatus)) return status as OrderStatus;
  return Object.hasOwn(statuses, status) ? (statuses[status] as OrderStatus) : 'processing';
}

function visitorOf(payload: Fields): string | undefined {
  const meta = readList(payload, 'meta_data').find((entry) => entry['key'] === '_affiliate_visitor');
  return meta && shortText(readText(meta, 'value'), 200);
}
