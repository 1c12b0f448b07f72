import type { OrderPageRepository, OrderSums } from '../orders/order-pages.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { countsAsSale } from './contribution.ts';
import { type FigureChange, type FigureRepository, mergeByDay, sumFigures } from './figures.ts';

/** One rebuild per coupon per minute. */
const refreshEverySeconds = 60;

/** Attempts without blocking writers; after that the rebuild runs in one write transaction. */
const attempts = 3;

export interface RefreshRepositories {
  figures: FigureRepository;
  orderPages: OrderPageRepository;
}

/**
 * Rebuilds a coupon's stored figures from its orders, unless that was done less than a minute ago, here or in another process.
 * 0 when it was rebuilt, else the seconds until it can be.
 */
export async function refreshFigures(storage: UnitOfWork<RefreshRepositories>, couponId: number, now: number): Promise<number> {
  const secondsLeft = await storage.write(({ figures }) => figures.claimRefresh(couponId, now, refreshEverySeconds));
  if (secondsLeft > 0) return secondsLeft;
  for (let attempt = 0; attempt < attempts; attempt += 1) if (await rebuildConcurrently(storage, couponId, now)) return 0;
  await storage.write((db) => rebuildExclusively(db, couponId, now));
  return 0;
}

/** Reads month by month on reader connections, and writes only if the orders have not changed since. */
async function rebuildConcurrently(storage: UnitOfWork<RefreshRepositories>, couponId: number, now: number): Promise<boolean> {
  const version = await storage.read((db) => versionOf(db, couponId));
  const days = await sumOrders(couponId, (after) => storage.read(({ orderPages }) => orderPages.nextMonth(couponId, after)));
  return storage.write(({ figures }) => figures.replace(couponId, version, days, now));
}

async function rebuildExclusively(db: RefreshRepositories, couponId: number, now: number): Promise<void> {
  const days = await sumOrders(couponId, (after) => db.orderPages.nextMonth(couponId, after));
  await db.figures.replace(couponId, await versionOf(db, couponId), days, now);
}

const versionOf = async ({ figures }: { figures: FigureRepository }, couponId: number): Promise<number> =>
  (await figures.snapshotsOf([couponId])).get(couponId)?.version ?? 0;

async function sumOrders(couponId: number, nextMonth: (after: string | undefined) => Promise<OrderSums[]>): Promise<FigureChange[]> {
  const days: FigureChange[] = [];
  for (let month = await nextMonth(undefined); month.length > 0; month = await nextMonth(month.at(-1)?.day))
    days.push(...mergeByDay(month.map((sums) => contributionOfMany(couponId, sums))));
  return days;
}

/** As `contributionOf` has it for one order. A test holds the two together. */
function contributionOfMany(
  couponId: number,
  { day, status, count, total, refunded, discount, shipping, commission }: OrderSums,
): FigureChange {
  const statusCounts = { ...sumFigures([]).statusCounts, [status]: count };
  if (!countsAsSale(status)) return { ...sumFigures([]), couponId, day, statusCounts };
  return { couponId, day, ordersCount: count, sales: total - refunded, discount, shipping, commission, statusCounts };
}
