import type { NewEvent } from '../../domain/events/event.ts';
import { newOrderId, orders, payoutDetails } from '../../test/support/program.ts';
import type { TestService } from '../../test/support/service.ts';

/**
 * The shop that the program is attached to. What it knows comes in by import, not over HTTP, so somebody has to play it: affiliates who are
 * given a key say where they want their money, and sell something. Whatever happens is sent to the webhooks at once.
 */
export function openShop(service: TestService): () => Promise<void> {
  let waiting: Newcomer[] = [];
  let work = Promise.resolve();
  const hear = async (events: readonly NewEvent[]): Promise<void> => {
    waiting.push(...events.filter(({ kind }) => kind === 'affiliate_created').map(newcomerIn));
    if (events.some(({ kind }) => kind === 'api_key_created')) {
      const ready = waiting;
      waiting = [];
      for (const newcomer of ready) await firstSale(service, newcomer);
    }
    await service.work();
  };
  // One after the other: each may be the cause of the next.
  const stop = service.storage.onEvents((events) => void (work = work.then(() => hear(events))));
  return async () => {
    stop();
    await work;
  };
}

interface Newcomer {
  userId: number;
  couponId: number;
}

const newcomerIn = ({ data }: NewEvent): Newcomer => ({ userId: Number(data?.['user_id']), couponId: Number(data?.['coupon_id']) });

async function firstSale(service: TestService, { userId, couponId }: Newcomer): Promise<void> {
  await payoutDetails(service, { userId, method: 'PayPal', methodType: 'paypal', details: { email: 'pay@trailnotes.example' } });
  const at = new Date(service.clock.now()).toISOString();
  await orders(service, [{ id: newOrderId(), coupon: couponId, at, total: 240, discount: 24 }]);
}
