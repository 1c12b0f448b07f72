import { systemClock } from '../../domain/clock.ts';
import { submit } from '../../test/support/applications.ts';
import { coupon, newOrderId, orders, payoutDetails } from '../../test/support/program.ts';
import { TestService } from '../../test/support/service.ts';
import { type Receiver, receiver } from '../../test/support/webhooks.ts';
import type { Scene } from './run.ts';
import { openShop } from './shop.ts';

/** Everything the stories need: the service over real HTTP, people with keys, a shop that sells, and somebody who receives webhooks. */
export interface Stage extends Scene {
  service: TestService;
  receiver: Receiver;
  close(): Promise<void>;
}

export async function openStage(databaseUrl: string): Promise<Stage> {
  const service = await TestService.start({ databaseUrl, clock: systemClock });
  // The limits are for callers who ask too much. All stories in a row, told twice, are no such thing.
  await service.withoutLimits();
  const listening = await receiver();
  const leave = openShop(service);
  const inputs = { ...(await people(service)), ...(await applicants(service)), receiver_url: listening.url };
  const close = async (): Promise<void> => {
    await leave();
    await listening.close();
    await service.stop();
  };
  return { service, server: `${service.origin}/api/v2`, inputs, receiver: listening, close };
}

/** An administrator, and an affiliate who has earned something. */
async function people(service: TestService): Promise<Scene['inputs']> {
  const admin = await service.user('fjell', 'administrator');
  const affiliate = await service.user('summitweekly', 'affiliate');
  const couponId = await coupon(service, 'SUMMIT10', { userId: affiliate.id });
  await payoutDetails(service, { userId: affiliate.id, method: 'PayPal', methodType: 'paypal', details: { email: affiliate.email } });
  await orders(service, [{ id: newOrderId(), coupon: couponId, at: now(service), total: 179.8, discount: 17.98 }]);
  const [adminKey, affiliateKey] = [await service.key(admin, ['read', 'write', 'manage']), await service.key(affiliate, ['read', 'write'])];
  return { admin_token: adminKey.token, affiliate_token: affiliateKey.token };
}

/** Two who wait for an answer. */
async function applicants(service: TestService): Promise<Scene['inputs']> {
  const apply = (login: string, displayName: string, couponCode: string) =>
    submit(service, { login, displayName, couponCode, email: `${login}@example.com`, at: service.clock.now() });
  await apply('trailnotes', 'Trail Notes', 'TRAIL10');
  await apply('dealsdealsdeals', 'Deals Deals Deals', 'DEALS10');
  return { applicant_to_accept: 'trailnotes', applicant_to_decline: 'dealsdealsdeals' };
}

const now = ({ clock }: TestService): string => new Date(clock.now()).toISOString();
