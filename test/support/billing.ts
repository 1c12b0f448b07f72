import { checkStoreConnection } from '../../cli/doctor/store.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import { session, signPaddle, signStripe, stripeEvent } from '../connectors/billing-payloads.ts';
import type { Engine } from './engines.ts';
import { coupon } from './program.ts';
import { masterKey, suiteService } from './service.ts';

export const platformSecret = 'a secret of the platform';

// A type, because an interface has no index signature.
type PaymentIds = Record<'id' | 'subscription' | 'customer' | 'intent', string>;

/** A service with the coupon TRAIL10 that is connected to Stripe, or to Paddle after `connect`. */
export function createBilling(engine: Engine) {
  const settings = { 'store.currency': 'EUR', 'addons.store': true, 'addons.management': true, 'addons.insights': true };
  const { service, admin, clock } = suiteService(engine, { settings });
  const program = { couponId: 0 };
  let id = '';
  let platform: 'stripe' | 'paddle' = 'stripe';
  let serial = 0;

  async function connect(to: 'stripe' | 'paddle'): Promise<void> {
    platform = to;
    const secrets = createSecrets('store_secret', masterKey, systemRandom);
    const context = { now: clock.now(), random: systemRandom, secrets };
    id = await service.storage.write(async (transaction) => {
      for (const { id: former } of await transaction.connections.all()) await transaction.connections.disconnect(former, 1);
      return (await connectStore(transaction, { platform: to, name: '', secret: platformSecret }, context)).id;
    });
  }

  before(async () => {
    await service.withoutLimits();
    const { id: userId } = await service.user('owner', 'affiliate');
    program.couponId = await coupon(service, 'TRAIL10', { userId });
    await connect('stripe');
  });

  const seconds = (): number => Math.floor(clock.now() / 1000);
  async function post(event: object): Promise<{ status: number; outcome: string }> {
    const body = JSON.stringify(event);
    const headers =
      platform === 'stripe'
        ? { 'Stripe-Signature': signStripe(body, platformSecret, seconds()) }
        : { 'Paddle-Signature': signPaddle(body, platformSecret, seconds()) };
    const response = await fetch(`${service.origin}/connect/${id}`, { method: 'POST', body, headers });
    return { status: response.status, ...((await response.json()) as { outcome: string }) };
  }
  const send = async (event: object): Promise<string> => (await post(event)).outcome;

  return {
    service,
    admin,
    clock,
    program,
    connect,
    seconds,
    post,
    send,
    stripe: (type: string, object: object, created?: number): Promise<string> =>
      send(stripeEvent(type, object, created === undefined ? {} : { created })),
    find: async (externalId: string) => (await admin.get(`/orders?search=${externalId}`)).body[0],
    /** Ids of its own for each test. */
    fresh: (): PaymentIds => {
      serial += 1;
      return { id: `in_${serial}a`, subscription: `sub_${serial}a`, customer: `cus_${serial}a`, intent: `pi_${serial}a` };
    },
    /** As a platform does: what is answered with 503 is sent again later. */
    deliver: async (events: readonly object[]): Promise<void> => {
      const queue = [...events];
      for (let tries = 0; queue.length > 0 && tries < 500; tries += 1) {
        const event = queue.shift() as object;
        if ((await post(event)).status === 503) queue.push(event);
      }
    },
    checks: async () => checkStoreConnection(service.storage, await service.settings.current(), clock.now()),
  };
}

/** A complete checkout that TRAIL10 referred. */
export const referredCheckout = ({ subscription, customer }: Pick<PaymentIds, 'subscription' | 'customer'>, changed: object = {}) =>
  session({ id: `cs_${subscription}`, subscription, customer, client_reference_id: 'coupon_TRAIL10', ...changed });
