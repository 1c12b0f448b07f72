import { ApiError } from '../errors.ts';
import type { Page, Paged } from '../page.ts';
import type { Stores, Transaction } from '../ports.ts';
import { getWebhook } from './change.ts';
import type { Delivery } from './delivery.ts';

/** Decision 10: the deliveries of a webhook are kept 30 days. */
const keptMilliseconds = 30 * 86_400_000;

/** Newest first, each with its attempts. */
export async function listDeliveries(stores: Stores, webhookId: number, page: Page): Promise<Paged<Delivery>> {
  await getWebhook(stores, webhookId);
  return stores.deliveries.page(webhookId, page);
}

/** Sends a delivery again, regardless of its status, with the same id, so that receivers can deduplicate it. */
export async function replayDelivery(transaction: Transaction, deliveryId: number, now: number): Promise<void> {
  const { deliveries } = transaction;
  const webhookId = await deliveries.webhookOf(deliveryId);
  if (webhookId === null) throw new ApiError('svc_api_not_found', { message: 'There is no such delivery, or its webhook is gone.' });
  const { status } = await getWebhook(transaction, webhookId);
  if (status === 'disabled') throw new ApiError('svc_api_conflict', { message: 'Its webhook is disabled. Make it active first.' });
  await deliveries.requeue(deliveryId, now);
}

/** Deletes in small batches, so that other writes do not wait long. Returns the number deleted; `limit` means that there may be more. */
export const deleteOldDeliveries = ({ deliveries }: Transaction, now: number, limit: number): Promise<number> =>
  deliveries.deleteOld(now - keptMilliseconds, limit);
