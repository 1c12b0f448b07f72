import type { Database } from '../../db/database.ts';
import type { NewEvent } from '../../domain/events/event.ts';
import type { MasterKey } from '../../domain/master-key/key-ring.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { createUser } from '../../domain/users/create.ts';
import type { Caller } from '../../domain/users/user.ts';
import { createWebhook } from '../../domain/webhooks/manage.ts';
import { masterKey } from './service.ts';

/** Creates webhooks for all events without a service, and returns the signing secret of each. */
export async function webhooksTo(
  database: Database,
  urls: readonly string[],
  now = Date.now(),
  key: MasterKey = masterKey,
  login = 'boss',
): Promise<{ id: number; secret: string }[]> {
  const secrets = createSecrets('webhook_secret', key, systemRandom);
  const admin = { login, email: `${login}@shop.example`, displayName: 'The boss', role: 'administrator' as const, registeredAt: now };
  return database.write(async (transaction) => {
    const user = await createUser(transaction, { ...admin, passwordHash: null });
    const caller: Caller = { user, method: 'session', keyId: null, scopes: null };
    const made: { id: number; secret: string }[] = [];
    for (const url of urls) {
      const request = { name: '', url, events: ['*'] };
      const { webhook, secret } = await createWebhook(transaction, caller, request, { now, random: systemRandom, secrets });
      made.push({ id: webhook.id, secret });
    }
    return made;
  });
}

/** Records an event that is delivered to every webhook for each order, in one transaction. */
export const recordReferrals = (database: Database, orderIds: readonly number[], at = Date.now()): Promise<void> =>
  database.write(async ({ events }) => {
    for (const orderId of orderIds) await events.record(referral(orderId, at));
  });

const referral = (orderId: number, at: number): NewEvent => ({
  kind: 'referral',
  type: 'referral.created',
  objectType: 'order',
  objectId: orderId,
  userId: 0,
  info: `Order ${orderId}`,
  data: { order_id: orderId, coupon_id: 1, coupon: 'TRAIL10', user_id: 1, commission: 4.2 },
  at,
});

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
