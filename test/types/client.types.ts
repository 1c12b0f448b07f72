// Compiled, never run: the types that a frontend team gets from the contract with openapi-fetch, a third-party client.
import createClient from 'openapi-fetch';
import type { Api } from '../../client/src/index.ts';
import type { components, paths, webhooks } from '../../generated/api.d.ts';

const api = createClient<paths>({ baseUrl: 'http://127.0.0.1:4010/api/v2' });

export async function typedCalls(): Promise<number> {
  const { data: coupons = [], response } = await api.GET('/coupons', { params: { query: { per_page: 50, order: 'asc' } } });
  const { data: payout, error } = await api.POST('/payouts', { body: { coupon_id: coupons[0]?.id ?? 301 } });
  const { data: key } = await api.POST('/keys', { body: { description: 'defaults need not be sent' } });
  const status: components['schemas']['PayoutStatus'] | undefined = payout?.status;
  return Number(response.headers.get('X-Svc-Total')) + (status ?? error?.code ?? key?.token ?? '').length;
}

export async function wrongCalls(): Promise<void> {
  // @ts-expect-error per_page is a number
  await api.GET('/coupons', { params: { query: { per_page: 'many' } } });
  // @ts-expect-error there is no such order
  await api.GET('/coupons', { params: { query: { order: 'upwards' } } });
  // @ts-expect-error the id is required
  await api.GET('/payouts/{id}', {});
  // @ts-expect-error the coupon is required
  await api.POST('/payouts', { body: {} });
  // @ts-expect-error coupon codes are never identifiers
  await api.POST('/payouts', { body: { coupon_id: 'TRAIL10' } });
  // @ts-expect-error there is no such path
  await api.GET('/customers');
  // @ts-expect-error a payout is not deleted
  await api.DELETE('/payouts/{id}', { params: { path: { id: 501 } } });
}

type Delivery<Event extends keyof webhooks> = webhooks[Event]['post'] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** A receiver tells deliveries apart by their `event`. */
export function receive(delivery: Delivery<'payout.paid'> | Delivery<'referral.created'>): number {
  return delivery.event === 'payout.paid' ? delivery.data.amount : delivery.data.commission;
}

/** What has a default need not be sent. */
export async function callsWithDefaults(typed: Api): Promise<number> {
  const { total } = await typed.coupons.list();
  const { token } = await typed.keys.create({});
  return total + token.length;
}
