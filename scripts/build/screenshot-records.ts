import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiCall, createApiCall, createDelivery, type ServiceAccess } from '../../cli/demo/shop-api.ts';
import type { components } from '../../generated/api.d.ts';

type Schemas = components['schemas'];

/** Newer than those of the demo. The receiver of the webhook fails for the first one. */
const [failingOrder, referredOrder, otherOrder] = [90_211, 90_212, 90_213];

/** What a demo store does not have: payout files, webhooks of the shop, and a webhook that fails now and then. */
export async function createRecords(access: ServiceAccess): Promise<void> {
  const call = createApiCall(access);
  const { id } = await call<Schemas['PayoutBatchCreated']>('POST', '/payout-batches', { format: 'paypal' });
  await call('POST', `/payout-batches/${id}/status`, { status: 'paid' });
  // In a small demo store, signals hold all payouts of other methods.
  await call('POST', '/payout-batches', { format: 'csv', despite_signals: true });
  const request = { name: 'Warehouse', url: await startReceiver(), events: ['referral.created', 'commission.removed'] };
  const webhook = await call<Schemas['WebhookCreated']>('POST', '/webhooks', request);
  const send = await connectShop(access, call);
  await send('order.created', { id: failingOrder, code: 'summit10', status: 'processing' });
  await waitForAttempts(call, webhook.id, 1);
  await send('order.created', { id: referredOrder, code: 'trail10', status: 'processing' });
  await waitForAttempts(call, webhook.id, 2);
  await send('order.created', { id: otherOrder, code: null, status: 'processing' });
  await send('order.updated', { id: referredOrder, code: 'trail10', status: 'completed' });
  await call('POST', `/webhooks/${webhook.id}/test`);
}

/** Returns its address. The process can end while it listens. */
async function startReceiver(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { data } = (await json(request)) as { data: { order_id?: number } };
    response.writeHead(data.order_id === failingOrder ? 503 : 204).end();
  });
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/orders`;
}

async function waitForAttempts(call: ApiCall, webhookId: number, count: number): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const deliveries = await call<Schemas['WebhookDelivery'][]>('GET', `/webhooks/${webhookId}/deliveries`);
    if (deliveries.filter(({ attempts }) => attempts.length > 0).length >= count) return;
    await sleep(200);
  }
  throw new Error(`Webhook ${webhookId} was not called.`);
}

/** Replaces the secret of the demo's WooCommerce connection, and sends what WooCommerce would send. */
async function connectShop(access: ServiceAccess, call: ApiCall) {
  const secret = 'the secret of the shop';
  const [connection] = await call<[Schemas['StoreConnection']]>('GET', '/store/connections?per_page=1');
  await call('PUT', `/store/connections/${connection.id}/secret`, { secret });
  const deliver = createDelivery(access);
  return async (topic: string, { code, ...order }: { id: number; code: string | null; status: string }): Promise<void> => {
    const amounts = { currency: 'EUR', discount_total: '18.90', shipping_total: '4.90', total_tax: '33.25', total: '208.25' };
    const [placed, now] = [Date.now() - 20 * 60_000, Date.now()].map((time) => new Date(time).toISOString().slice(0, 19));
    const dates = { date_created_gmt: placed, date_modified_gmt: topic === 'order.created' ? placed : now };
    const lists = { line_items: [{ quantity: 1, subtotal: '189.00' }], coupon_lines: code === null ? [] : [{ code }], refunds: [] };
    const body = JSON.stringify({ ...order, ...amounts, ...dates, ...lists });
    const signature = createHmac('sha256', secret).update(body).digest('base64');
    const outcome = await deliver(connection.id, { 'X-WC-Webhook-Signature': signature, 'X-WC-Webhook-Topic': topic }, body);
    if (!['created', 'updated', 'ignored'].includes(outcome)) throw new Error(`Order ${order.id} is ${outcome}.`);
  };
}
