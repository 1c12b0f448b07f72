import { type OrderStatus, orderStatuses } from '../domain/orders/order.ts';
import { type PlatformCancellation, type PlatformOrder, unknownStatusNotice } from '../domain/store/update.ts';
import type { PullingConnector, TranslationOptions } from './connector.ts';
import {
  absolute,
  type Fields,
  findId,
  findObject,
  PayloadError,
  readDecimal,
  readEmail,
  readId,
  readList,
  readMoment,
  readQuantity,
  readText,
  shortText,
  sum,
  toMinor,
} from './payload.ts';
import { hasHmac } from './signature.ts';
import { platformTitles } from './titles.ts';
import { woocommercePull } from './woocommerce-pull.ts';

/** Orders that the customer has not placed yet. */
const drafts = ['checkout-draft', 'draft', 'auto-draft', 'new'];

/** WooCommerce sends the order of its REST API v3: amounts as decimal texts, dates in UTC without an offset. */
export const woocommerce: PullingConnector = {
  title: platformTitles.woocommerce,
  setup: {
    usesOurSecret: true,
    steps: [
      'In WooCommerce, open Settings, Advanced, Webhooks.',
      'Add one webhook for each of these topics: Order created, Order updated, Order deleted, Order restored.',
      'Set Status to Active, and API version to WP REST API Integration v3.',
      'Enter this Delivery URL: <url>',
      'Enter the secret of this connection as Secret.',
    ],
    examples: ['affiliate store connect woocommerce --api-url https://shop.example --api-key ck_… --api-secret-stdin < secret.txt'],
  },
  isSigned: (request, secret) => hasHmac('x-wc-webhook-signature', request, secret),
  // WooCommerce tries a new webhook with an unsigned form, and does not save it without a 200.
  isPing: ({ bytes }) => bytes.length < 40 && /^webhook_id=\d+$/.test(bytes.toString('latin1')),
  findTopic: (headers) => String(headers['x-wc-webhook-topic'] ?? ''),
  translate(topic, payload, options) {
    if (topic === 'order.deleted') return readDeletion(payload);
    if (!['order.created', 'order.updated', 'order.restored'].includes(topic) || drafts.includes(readText(payload, 'status'))) return null;
    return readOrder(payload, topic === 'order.restored', options);
  },
  findOrderId: (_topic, payload) => findId(payload, 'id'),
  toOrderNumber: Number,
  neededTopics: [],
  pull: woocommercePull,
};

/** The signature does not cover the topic: with more than the number, it is another webhook that was sent again under this topic. */
function readDeletion(payload: Fields): PlatformCancellation {
  if (Object.keys(payload).length > 1) throw new PayloadError('A deleted order has nothing but its id: this is not a deletion.');
  return { kind: 'cancellation', externalId: readId(payload, 'id') };
}

function readOrder(payload: Fields, isRestored: boolean, options: TranslationOptions): PlatformOrder {
  const { currency } = options;
  if (readText(payload, 'currency') !== currency) throw new PayloadError(`The currency of the order is not ${currency}.`);
  const amount = (name: string) => toMinor(readDecimal(payload, name), currency);
  const status = readText(payload, 'status');
  if (status === '') throw new PayloadError('status is missing.');
  const lines = readList(payload, 'line_items');
  const total = toMinor(sum(lines.map((line) => readDecimal(line, 'subtotal'))), currency);
  // Rounded at the subtotal it may be a cent above the lines.
  const discount = Math.min(amount('discount_total'), total);
  const paid = Math.max(0, amount('total'));
  return {
    kind: 'order',
    externalId: readId(payload, 'id'),
    order: {
      placedAt: readMoment(payload, 'date_created_gmt', 'Z'),
      status: statusOf(status, options) ?? 'processing',
      total,
      discount,
      shipping: amount('shipping_total'),
      tax: amount('total_tax'),
      quantity: lines.reduce((quantity, line) => quantity + readQuantity(line, 'quantity'), 0),
      visitor: visitorOf(payload),
      customerEmail: readEmail(findObject(payload, 'billing'), 'email'),
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
    .map((refund) => [readId(refund, 'id'), toMinor(absolute(readDecimal(refund, 'total')), currency)]);

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
