// Compiled, never run: what the client's package lets a developer write, and what not.
import {
  type Api,
  type components,
  createApi,
  type FeedEvent,
  follow,
  isApiError,
  pages,
  verifyWebhook,
  type WebhookDelivery,
} from 'affiliate-program-client';

type Schemas = components['schemas'];

export async function typedCalls(api: Api): Promise<unknown[]> {
  const me: Schemas['Me'] = await api.me.get();
  const coupon: Schemas['CouponDetail'] = await api.coupons.get(17, { signal: new AbortController().signal });
  const { items, total }: { items: Schemas['Coupon'][]; total: number } = await api.coupons.list({ per_page: 50, order: 'asc' });
  const payout = await api.payouts.create({ coupon_id: 301 }, { idempotencyKey: 'one' });
  const status: Schemas['PayoutStatus'] = payout.status;
  const key = await api.keys.create({ description: 'defaults need not be sent' });
  const changed: Schemas['Payout'] = await api.payouts.setStatus(501, { status: 'paid' });
  const tested: { code: number } = await api.webhooks.test(3);
  for await (const order of pages(api.coupons.orders, 17, { status: 'completed' }).items()) order.order_id.toFixed();
  for await (const page of pages(api.affiliates.list)) page.items[0]?.user.display_name.trim();
  return [me, coupon, items, total, status, key.token, changed, tested];
}

export async function wrongCalls(api: Api): Promise<void> {
  // @ts-expect-error per_page is a number
  await api.coupons.list({ per_page: 'many' });
  // @ts-expect-error there is no such order
  await api.coupons.list({ order: 'upwards' });
  // @ts-expect-error there is no such parameter
  await api.coupons.list({ colour: 'red' });
  // @ts-expect-error the id is required
  await api.payouts.get();
  // @ts-expect-error a code is no id
  await api.coupons.get('TRAIL10');
  // @ts-expect-error the coupon is required
  await api.payouts.create({});
  // @ts-expect-error the body is required
  await api.payouts.create();
  // @ts-expect-error there is no such status
  await api.payouts.setStatus(501, { status: 'processing' });
  // @ts-expect-error there is no such operation
  await api.payouts.delete(501);
  // @ts-expect-error there is no such resource
  await api.customers.list();
  // @ts-expect-error only a payout is asked for with a key
  await api.keys.create({}, { idempotencyKey: 'one' });
  // @ts-expect-error a report is no collection
  pages(api.reports.summary);
  // @ts-expect-error the coupon whose orders to walk
  pages(api.coupons.orders);
  // @ts-expect-error there is no such status of an order
  pages(api.coupons.orders, 17, { status: 'lost' });
  // @ts-expect-error there is no such kind
  follow(api, { kinds: ['payout_lost'] });
}

export function wrongOptions(): void {
  // @ts-expect-error one way to be known is enough
  createApi({ baseUrl: 'https://shop.example/api/v2', token: 'svc_', session: true });
  // @ts-expect-error a login needs its password
  createApi({ baseUrl: 'https://shop.example/api/v2', basic: { login: 'ada' } });
}

export function errors(error: unknown): number {
  // @ts-expect-error there is no such code
  if (isApiError(error, 'svc_api_nope')) return 0;
  if (isApiError(error, 'svc_api_rate_limited')) return error.data.retry_after;
  // @ts-expect-error only what goes away by waiting says how long
  if (isApiError(error, 'svc_api_not_found')) return error.data.retry_after;
  // @ts-expect-error the comparison would never hold
  if (isApiError(error, 'rest_invalid_param')) return error.code === 'svc_api_not_found' ? 0 : Object.keys(error.data.params ?? {}).length;
  return 0;
}

export async function receive(request: Request): Promise<number> {
  const delivery = await verifyWebhook(request, ['whsec_old', 'whsec_new']);
  // @ts-expect-error not every delivery has an amount
  if (delivery.data.amount) return 0;
  // @ts-expect-error there is no such event
  if (delivery.event === 'payout.lost') return 0;
  return delivery.event === 'payout.paid' ? delivery.data.amount : delivery.event === 'referral.created' ? delivery.data.commission : 0;
}

/** A switch over all events does not compile while one is missing, here all but two. */
export function forgotten(delivery: WebhookDelivery): string {
  switch (delivery.event) {
    case 'ping':
      return delivery.data.message;
    case 'payout.paid':
      return delivery.data.method_type ?? '';
    default:
      // @ts-expect-error the other events are not handled
      return delivery satisfies never;
  }
}

export function forgottenKind(event: FeedEvent<'referral' | 'api_key_created'>): number {
  switch (event.event) {
    case 'referral':
      return event.data.order_id;
    default:
      // @ts-expect-error keys are not handled
      return event satisfies never;
  }
}

export async function narrowed(api: Api): Promise<void> {
  for await (const event of follow(api, { kinds: ['api_key_created', 'payout_paid'] })) {
    if (event.event === 'payout_paid') event.data.amount.toFixed();
    else event.data satisfies null;
    // @ts-expect-error only these kinds were asked for
    if (event.event === 'referral') return;
  }
  for (const event of (await api.events.list({ after: 0 })).items) if (event.event === 'referral') event.data.commission.toFixed();
}
