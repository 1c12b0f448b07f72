import type { NewEvent } from '../../domain/events/event.ts';
import { newOrderId, orders, payoutDetails } from '../../test/support/program.ts';
import type { TestService } from '../../test/support/service.ts';

/**
 * The shop that the program is attached to. What it knows comes in by import, not over HTTP, so somebody has to play it: affiliates who are
 * given a key say where they want their money, and sell something. Whatever happens is sent to the webhooks at once.
 */
export function openShop(service: TestService): () => Promise<void> {
  /** The coupons of those who have not sold anything yet, by their user ids. */
  const newcomers = new Map<number, number>();
  const hear = async (event: NewEvent): Promise<void> => {
    if (event.kind === 'affiliate_created') newcomers.set(Number(event.data?.['user_id']), Number(event.data?.['coupon_id']));
    if (event.kind !== 'api_key_created') return;
    const userId = await ownerOf(service, event.objectId);
    const couponId = newcomers.get(userId);
    if (couponId !== undefined && newcomers.delete(userId)) await firstSale(service, userId, couponId);
  };
  let work = Promise.resolve();
  // One after the other: each may be the cause of the next.
  const stop = service.storage.onEvents((events) => {
    for (const event of events) work = work.then(() => hear(event));
    work = work.then(() => service.work());
  });
  return async () => {
    stop();
    await work;
  };
}

const ownerOf = async ({ storage }: TestService, keyId: number): Promise<number> =>
  (await storage.read(({ keys }) => keys.byId(keyId)))?.userId ?? 0;

async function firstSale(service: TestService, userId: number, couponId: number): Promise<void> {
  await payoutDetails(service, { userId, method: 'PayPal', methodType: 'paypal', details: { email: 'pay@trailnotes.example' } });
  const at = new Date(service.clock.now()).toISOString();
  await orders(service, [{ id: newOrderId(), coupon: couponId, at, total: 240, discount: 24 }]);
}
