import { systemClock } from '../../domain/clock.ts';
import type { NewEvent } from '../../domain/events/event.ts';
import { submit } from '../../test/support/applications.ts';
import { coupon, newOrderId, orders, payoutDetails } from '../../test/support/program.ts';
import { TestService } from '../../test/support/service.ts';
import { type Receiver, receiver } from '../../test/support/webhooks.ts';
import { createPayees, payByFile } from './bookkeeper.ts';
import type { WorkflowTarget } from './run.ts';

/** What the workflows need: the service over HTTP with users, keys and applications, a simulated shop, and a webhook receiver. */
export interface WorkflowFixture extends WorkflowTarget {
  service: TestService;
  receiver: Receiver;
  /** The payout files that were written, oldest first. */
  payoutFiles: readonly string[];
  close(): Promise<void>;
}

export async function openFixture(databaseUrl: string): Promise<WorkflowFixture> {
  const service = await TestService.start({ databaseUrl, clock: systemClock });
  // All workflows in a row send more requests than the rate limits allow.
  await service.withoutLimits();
  await service.settings.set('store.currency', 'EUR');
  await service.settings.set('addons.store', true);
  const webhooks = await receiver();
  const payees = await createPayees(service);
  const payoutFiles: string[] = [];
  const stopShop = startShop(service, async () => {
    const file = await payByFile(service, payees.couponIds);
    if (file !== null) payoutFiles.push(file);
  });
  const users = { ...(await createUsers(service)), ...payees.inputs };
  const inputs = { ...users, ...(await submitApplications(service)), receiver_url: webhooks.url };
  const close = async (): Promise<void> => {
    await stopShop();
    await webhooks.close();
    await service.stop();
  };
  return { service, server: `${service.origin}/api/v2`, inputs, receiver: webhooks, payoutFiles, close };
}

/** An administrator, and an affiliate who has earned commission. */
async function createUsers(service: TestService): Promise<WorkflowTarget['inputs']> {
  const admin = await service.user('fjell', 'administrator');
  const affiliate = await service.user('summitweekly', 'affiliate');
  const couponId = await coupon(service, 'SUMMIT10', { userId: affiliate.id });
  await payoutDetails(service, { userId: affiliate.id, method: 'PayPal', methodType: 'paypal', details: { email: affiliate.email } });
  await orders(service, [{ id: newOrderId(), coupon: couponId, at: now(service), total: 179.8, discount: 17.98 }]);
  const adminKey = await service.key(admin, ['read', 'write', 'manage']);
  const affiliateKey = await service.key(affiliate, ['read', 'write']);
  return { admin_token: adminKey.token, affiliate_token: affiliateKey.token };
}

async function submitApplications(service: TestService): Promise<WorkflowTarget['inputs']> {
  const apply = (login: string, displayName: string, couponCode: string) =>
    submit(service, { login, displayName, couponCode, email: `${login}@example.com`, at: service.clock.now() });
  await apply('trailnotes', 'Trail Notes', 'TRAIL10');
  await apply('dealsdealsdeals', 'Deals Deals Deals', 'DEALS10');
  return { applicant_to_accept: 'trailnotes', applicant_to_decline: 'dealsdealsdeals' };
}

const now = ({ clock }: TestService): string => new Date(clock.now()).toISOString();

/**
 * Simulates what a shop imports: a new affiliate who receives a key gets payout details and a first order. Requests of bank transfers are
 * paid by files. Webhooks are delivered after each event. Returns a function that stops the shop.
 */
function startShop(service: TestService, payBankTransfers: () => Promise<void>): () => Promise<void> {
  /** Coupons of new affiliates without an order, by user id. */
  const newCoupons = new Map<number, number>();
  const handle = async (event: NewEvent): Promise<void> => {
    if (event.kind === 'affiliate_created') newCoupons.set(Number(event.data?.['user_id']), Number(event.data?.['coupon_id']));
    if (event.kind === 'payout_request' && event.data?.['method_type'] === 'banktransfer') return payBankTransfers();
    if (event.kind !== 'api_key_created') return;
    const key = await service.storage.read(({ keys }) => keys.byId(event.objectId));
    const userId = key?.userId ?? 0;
    const couponId = newCoupons.get(userId);
    if (couponId === undefined || !newCoupons.delete(userId)) return;
    await payoutDetails(service, { userId, method: 'PayPal', methodType: 'paypal', details: { email: 'pay@trailnotes.example' } });
    await orders(service, [{ id: newOrderId(), coupon: couponId, at: now(service), total: 240, discount: 24 }]);
  };
  // In sequence: an event may cause the next one.
  let queue = Promise.resolve();
  const unsubscribe = service.storage.onEvents((events) => {
    for (const event of events) queue = queue.then(() => handle(event));
    queue = queue.then(() => service.work());
  });
  return async () => {
    unsubscribe();
    await queue;
  };
}
