import type { OrderStatus } from '../domain/orders/order.ts';
import type { PlatformOrder, PlatformRefund, Refunds } from '../domain/store/update.ts';
import type { Connector, TranslationOptions } from './connector.ts';
import {
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

const orderTopics = ['orders/create', 'orders/paid', 'orders/updated', 'orders/cancelled', 'orders/fulfilled'];

/** Shopify sends the order of its Admin REST API. Its retries have the original payload, which may be hours old. */
export const shopify: Connector = {
  signatureHeader: 'x-shopify-hmac-sha256',
  topicHeader: 'x-shopify-topic',
  translate(topic, payload, options) {
    if (topic === 'refunds/create') return readRefund(payload, options);
    if (!orderTopics.includes(topic) || payload['test'] === true) return null;
    return readOrder(payload, options);
  },
};

function readRefund(payload: Fields, { currency }: TranslationOptions): PlatformRefund {
  const id = readId(payload, 'id');
  const amounts = (includesTax: boolean): Refunds['byId'] => ({ [id]: goodsOf(payload, includesTax, currency) });
  const refunds = { byId: amounts(false), isComplete: false, goods: null };
  return { kind: 'refund', orderId: readId(payload, 'order_id'), refunds, withoutTax: amounts(true) };
}

function readOrder(payload: Fields, options: TranslationOptions): PlatformOrder {
  const { currency } = options;
  if (readText(payload, 'currency') !== currency) throw new PayloadError(`The currency of the order is not ${currency}.`);
  const amount = (name: string) => toMinor(readDecimal(payload, name), currency);
  const includesTax = payload['taxes_included'] === true;
  const lines = readList(payload, 'line_items');
  const lineTaxes = includesTax ? lines.flatMap((line) => readList(line, 'tax_lines').map((tax) => readDecimal(tax, 'price'))) : [];
  const attributes = readList(payload, 'note_attributes');
  const attribute = (name: string, maxLength: number): string | undefined => {
    const found = attributes.find((entry) => entry['name'] === name);
    return found && shortText(readText(found, 'value'), maxLength);
  };
  return {
    kind: 'order',
    order: {
      orderId: readId(payload, 'id'),
      placedAt: readMoment(payload, 'created_at'),
      status: statusOf(payload, options),
      total: toMinor(readDecimal(payload, 'total_line_items_price') - sum(lineTaxes), currency),
      discount: amount('total_discounts'),
      shipping: toMinor(shippingOf(payload), currency),
      tax: amount('total_tax'),
      quantity: lines.reduce((quantity, line) => quantity + readCount(line, 'quantity'), 0),
      campaign: attribute('affiliate_campaign', 100),
      visitor: attribute('affiliate_visitor', 200),
    },
    codes: readList(payload, 'discount_codes').flatMap((discount) => shortText(readText(discount, 'code'), 100) ?? []),
    modifiedAt: readMoment(payload, 'updated_at'),
    isTrashed: false,
    isRestored: false,
    refunds: refundsOf(payload, includesTax, currency),
    includesTax,
  };
}

const refundsOf = (payload: Fields, includesTax: boolean, currency: string): Refunds => ({
  byId: Object.fromEntries(
    readList(payload, 'refunds').map((refund) => [String(readId(refund, 'id')), goodsOf(refund, includesTax, currency)]),
  ),
  isComplete: false,
  goods: null,
});

function goodsOf(refund: Fields, includesTax: boolean, currency: string): number {
  const lines = readList(refund, 'refund_line_items');
  const amounts = lines.map((line) => readDecimal(line, 'subtotal') - (includesTax ? readDecimal(line, 'total_tax') : 0n));
  return Math.max(0, toMinor(sum(amounts), currency));
}

/** In the currency of the shop; the customer may have paid in another. */
function shippingOf(payload: Fields): bigint {
  const set = payload['total_shipping_price_set'] ?? null;
  if (set === null) return 0n;
  return readDecimal(readObject(readObject(set, 'total_shipping_price_set')['shop_money'] ?? {}, 'shop_money'), 'amount');
}

function statusOf(payload: Fields, { completedWhen }: TranslationOptions): OrderStatus {
  const financial = readText(payload, 'financial_status');
  if ((payload['cancelled_at'] ?? null) !== null || financial === 'voided') return 'cancelled';
  if (financial === 'refunded') return 'refunded';
  if (financial !== 'paid' && financial !== 'partially_refunded') return 'on-hold';
  return completedWhen === 'paid' || readText(payload, 'fulfillment_status') === 'fulfilled' ? 'completed' : 'processing';
}
