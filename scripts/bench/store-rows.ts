import { createHmac } from 'node:crypto';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { peerIndex } from './dataset/orders.ts';
import { masterKey, type Size } from './dataset/sizes.ts';
import type { HttpRow } from './http-row.ts';
import type { BenchRequest } from './requests.ts';

/** The peer verifies with the same. */
export const connection = { id: '0123456789abcdef0123456789abcdef', secret: 'the secret of the connection' };

const prepareStore = [`insert into settings (path, value) values ('addons.store', 'true')`, `drop index ${peerIndex}`];

function connectShop(): string[] {
  const sealed = createSecrets('store_secret', masterKey, systemRandom).encrypt(connection.secret, connection.id);
  return [
    ...prepareStore,
    `insert into store_connections (id, platform, name, encrypted_secret, created_at) values ('${connection.id}', 'woocommerce', '', '${sealed}', 0)`,
  ];
}

const address = { first_name: 'Kari', last_name: 'Nordmann', address_1: 'Storgata 1', city: 'Oslo', postcode: '0155', country: 'NO' };

/** As WooCommerce sends it, with what the service does not read. */
const orderOf = (number: number, { coupons }: Size): string => {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString().slice(0, 19);
  const item = (id: number, subtotal: string) => ({
    ...{ id, name: 'Tent for two', product_id: 93, variation_id: 0, quantity: 1, tax_class: '', subtotal, subtotal_tax: '0.00' },
    ...{ total: subtotal, total_tax: '0.00', taxes: [], meta_data: [], sku: 'TENT-2', price: Number(subtotal) },
  });
  return JSON.stringify({
    ...{ id: 200_000_000 + number, parent_id: 0, number: String(number), status: 'processing', currency: 'USD', version: '9.4.2' },
    ...{ date_created: time, date_created_gmt: time, date_modified: time, date_modified_gmt: time, prices_include_tax: false },
    ...{ discount_total: '9.99', discount_tax: '0.00', shipping_total: '4.90', shipping_tax: '0.00', cart_tax: '0.00' },
    ...{ total: '94.81', total_tax: '0.00', customer_id: 26, order_key: 'wc_order_58d2d042d1d', payment_method: 'bacs' },
    ...{ billing: { ...address, email: 'kari@example.com', phone: '+4722222222' }, shipping: address, customer_note: '' },
    meta_data: [{ id: 13_106, key: '_order_attribution_source_type', value: 'typein' }],
    line_items: [item(315, '59.90'), item(316, '40.00')],
    coupon_lines: [{ id: 317, code: `CODE${1 + ((number * 31) % coupons)}`, discount: '9.99', discount_tax: '0.00' }],
    ...{ tax_lines: [], fee_lines: [], refunds: [], shipping_lines: [{ id: 318, method_title: 'Post', total: '4.90' }] },
  });
};

const delivered = 30_000;

const deliveries = async (size: Size): Promise<BenchRequest[]> =>
  Array.from({ length: delivered }, (_, number) => {
    const body = orderOf(number, size);
    const signature = createHmac('sha256', connection.secret).update(body).digest('base64');
    const headers = { 'Content-Type': 'application/json', 'X-WC-Webhook-Topic': 'order.created', 'X-WC-Webhook-Signature': signature };
    return { path: `/connect/${connection.id}`, method: 'POST', headers, body };
  });

const addresses = 50_000;

/** From so many addresses that all clicks are counted. */
const visits = async ({ coupons }: Size): Promise<BenchRequest[]> =>
  Array.from({ length: addresses }, (_, at) => ({
    path: `/r/CODE${1 + (at % coupons)}?to=/tents&campaign=bench`,
    headers: { 'X-Forwarded-For': `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}` },
    expect: 302,
  }));

/** What a store and its visitors send. */
export const storeRows: readonly HttpRow[] = [
  {
    ...{ name: 'store-webhook', title: 'Signed order webhooks, durable', connections: 32, sizes: ['1k'], isNew: true },
    ...{ peers: ['fastify-store'], requests: deliveries, repetition: 'once', changes: connectShop },
  },
  {
    ...{ name: 'redirect', title: 'Referral link, counted', connections: 32, sizes: ['1k'], isNew: true },
    ...{ peers: [], requests: visits, repetition: 'cached', changes: () => prepareStore },
  },
];
