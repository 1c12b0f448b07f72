import type { Order } from '../orders/order.ts';
import type { Stores, UnitOfWork } from '../ports.ts';
import { contributionOf } from './contribution.ts';
import { type FigureChange, joined, mergedByDay } from './figures.ts';

/** Spec, "Limits": one rebuild per coupon per minute. */
const refreshEverySeconds = 60;

/** Few enough that nobody else waits long while they are read and added up. */
const ordersPerBatch = 500;

/** So often a coupon is read anew because orders came in meanwhile. Then they are made to wait. */
const attempts = 3;

/**
 * Rebuilds a coupon's stored figures from its orders, unless that was done less than a minute ago, here or in another process.
 * 0 when it was rebuilt, else the seconds until it can be.
 */
export async function refreshFigures(storage: UnitOfWork, couponId: number, now: number): Promise<number> {
  const secondsLeft = await storage.write(({ figures }) => figures.claimRefresh(couponId, now, refreshEverySeconds));
  if (secondsLeft > 0) return secondsLeft;
  for (let attempt = 0; attempt < attempts; attempt += 1) if (await rebuiltBesideOthers(storage, couponId, now)) return 0;
  await storage.write((stores) => rebuiltAlone(stores, couponId, now));
  return 0;
}

/** Reads in small pieces on connections that hold nobody up, and writes only if the orders are still those that were read. */
async function rebuiltBesideOthers(storage: UnitOfWork, couponId: number, now: number): Promise<boolean> {
  const version = await storage.read((stores) => versionOf(stores, couponId));
  const days = await addedUp((last) => storage.read(({ orderPages }) => orderPages.batchAfter(couponId, last, ordersPerBatch)));
  return storage.write(({ figures }) => figures.replace(couponId, version, days, now));
}

async function rebuiltAlone(stores: Stores, couponId: number, now: number): Promise<void> {
  const days = await addedUp((last) => stores.orderPages.batchAfter(couponId, last, ordersPerBatch));
  await stores.figures.replace(couponId, await versionOf(stores, couponId), days, now);
}

const versionOf = async ({ figures }: Stores, couponId: number): Promise<number> =>
  (await figures.snapshotsOf([couponId])).get(couponId)?.version ?? 0;

async function addedUp(batchAfter: (last: Order | undefined) => Promise<Order[]>): Promise<FigureChange[]> {
  const days = new Map<string, FigureChange>();
  for (let batch = await batchAfter(undefined); batch.length > 0; batch = await batchAfter(batch.at(-1)))
    for (const change of mergedByDay(batch.map(contributionOf))) days.set(change.day, joined(days.get(change.day), change));
  return [...days.values()];
}
