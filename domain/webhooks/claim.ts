import type { Stores, Transaction } from '../ports.ts';
import type { ClaimedDelivery } from './delivery.ts';

/** What a worker may have under way, and has. */
export interface Capacity {
  /** At most so many for one webhook: one slow receiver must not hold up the others. */
  perWebhook: number;
  /** By webhook, what is under way in this process. */
  inFlight: ReadonlyMap<number, number>;
}

export interface Claiming extends Capacity {
  now: number;
  leaseMilliseconds: number;
  limit: number;
}

/** Leases due deliveries that no other worker has. */
export function claimDeliveries({ deliveries }: Transaction, { leaseMilliseconds, ...claiming }: Claiming): Promise<ClaimedDelivery[]> {
  return deliveries.claim({ ...claiming, leasedUntil: claiming.now + leaseMilliseconds });
}

/** Gives back what was claimed and not tried. */
export async function releaseDeliveries({ deliveries }: Transaction, claimed: readonly ClaimedDelivery[], now: number): Promise<void> {
  for (const delivery of claimed) await deliveries.release(delivery, now);
}

/** When there is next something to claim; null when nothing waits that this worker could take. */
export function nextDueAt({ deliveries }: Stores, { perWebhook, inFlight }: Capacity): Promise<number | null> {
  return deliveries.nextDueAt([...inFlight].filter(([, count]) => count >= perWebhook).map(([id]) => id));
}
