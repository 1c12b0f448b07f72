import { fractionOf, type Minor } from '../domain/money.ts';
import type { PlatformOrder, Refunds } from '../domain/store/update.ts';
import type { ApiAnswer, Headers, ListPage, PullApi } from './connector.ts';
import { absolute, type Fields, PayloadError, readDecimal, readId, readList, readMoment, readObject, sum, toMinor } from './payload.ts';

const perPage = 100;

/** The orders and refunds of the REST API v3. */
export const woocommercePull: PullApi = {
  help:
    'affiliate store pull reads orders that WooCommerce changed while its webhooks did not arrive. For it, create a key in WooCommerce ' +
    '(Settings, Advanced, REST API, permission Read) and give the address of the shop, the consumer key, and the consumer secret on ' +
    'standard input. With --secret-stdin as well, the first line is the signing secret and the second the consumer secret.',
  keyExample: 'ck_…',
  requirement: 'WooCommerce 5.8 or newer is needed.',
  toShopUrl: ({ origin, pathname }) => origin + pathname.replace(/\/wp-json(\/.*)?$/, '').replace(/\/+$/, ''),
  topic: 'order.updated',
  perPage,
  // The trash is not part of `any`.
  lists: [
    { status: 'any', position: 'pulledTo' },
    { status: 'trash', position: 'trashPulledTo' },
  ],
  changedOrdersPath: (status, from) => toPath('/orders', changedOrdersQuery(status, from)),
  ordersOfSecondPath: (status, from, page) =>
    toPath('/orders', {
      ...changedOrdersQuery(status, from),
      modified_before: formatMoment(from + second),
      orderby: 'id',
      page: String(page),
    }),
  refundsPath: (externalId, page) =>
    toPath(`/orders/${externalId}/refunds`, { per_page: String(perPage), page: String(page), _fields: refundFields.join(',') }),
  readPage,
  readModifiedAt,
  readExactRefund,
};

const second = 1000;

/** The fields of an order that are read; no others are requested, so no customer data is transferred. */
const orderFields = [
  'id',
  'status',
  'currency',
  'date_created_gmt',
  'date_modified_gmt',
  'discount_total',
  'shipping_total',
  'total_tax',
  'total',
  'line_items',
  'coupon_lines',
  'refunds',
  'meta_data',
];
const refundFields = ['id', 'line_items', 'shipping_lines', 'fee_lines'];

const toPath = (path: string, query: Record<string, string>): string => `/wp-json/wc/v3${path}?${new URLSearchParams(query)}`;

/** `modified_after` excludes the moment itself. */
const changedOrdersQuery = (status: string, from: number | null): Record<string, string> => ({
  status,
  orderby: 'modified',
  order: 'asc',
  per_page: String(perPage),
  dates_are_gmt: 'true',
  _fields: orderFields.join(','),
  ...(from === null ? {} : { modified_after: formatMoment(from - second) }),
});

const formatMoment = (moment: number): string => new Date(moment).toISOString().slice(0, 19);

function readPage({ status, headers, body }: ApiAnswer): ListPage | string {
  if (status === 401 || status === 403)
    return `The shop does not accept the API key (${status}${codeOf(body)}). It needs the permission to read, and a user who may see orders.`;
  if (status === 404)
    return `There is no REST API of WooCommerce at this address (404${codeOf(body)}). In WordPress, permalinks must not be set to Plain.`;
  if (status !== 200) return `The shop answered ${status}${codeOf(body)}.`;
  const items = parseJson(body);
  if (!Array.isArray(items)) return 'The shop did not answer with a list of JSON. A plug-in or a proxy may answer in its place.';
  return { items, total: readCountHeader(headers, 'x-wp-total'), pages: readCountHeader(headers, 'x-wp-totalpages') };
}

/** The name of an error of WordPress, never its text. */
function codeOf(body: Buffer): string {
  const parsed = parseJson(body) as { code?: unknown } | null | undefined;
  const code = parsed?.code;
  return typeof code === 'string' && /^\w{1,80}$/.test(code) ? `, ${code}` : '';
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

const readCountHeader = (headers: Headers, name: string): number | null =>
  /^\d{1,15}$/.test(String(headers[name])) ? Number(headers[name]) : null;

function readModifiedAt(item: unknown): number | null {
  try {
    return readMoment(readObject(item, 'The order'), 'date_modified_gmt', 'Z');
  } catch {
    return null;
  }
}

/** Line by line. A refund of an amount without lines counts in proportion, like that of a webhook. */
function readExactRefund({ refunds }: PlatformOrder, listed: readonly unknown[], currency: string): Minor | null {
  try {
    const found = new Map(listed.map((entry) => readObject(entry, 'A refund')).map((refund) => [readId(refund, 'id'), refund]));
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
  return goods && goods.orderTotal > 0 ? fractionOf(amount, goods.net, goods.orderTotal) : 0;
}
