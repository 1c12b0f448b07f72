import type { Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { isStored, type Snapshot } from '../figures/figures.ts';
import type { RangeCache } from '../figures/range-cache.ts';
import { refreshFigures } from '../figures/refresh.ts';
import { mannerOf, type Statistics, statisticsOf } from '../figures/statistics.ts';
import type { Interval } from '../figures/steps.ts';
import type { Page, Paged } from '../page.ts';
import type { PayoutDetails } from '../payout-details/payout-details.ts';
import type { Stores, UnitOfWork } from '../ports.ts';
import { type DayRange, isOpen } from '../range.ts';
import type { User } from '../users/user.ts';
import type { CouponWithTerms } from './coupon.ts';
import type { ListedOrder, OrderFilter } from './order-pages.ts';

/** Who wants to read which coupon. */
export interface CouponReader {
  caller: Caller;
  couponId: number;
  /** Whether those above the owner may read it too, here and now. */
  levels: { upline: boolean };
}

async function visibleCoupon({ coupons }: Stores, { caller, couponId, levels }: CouponReader): Promise<CouponWithTerms> {
  const coupon = await coupons.visibleTo(caller, couponId, levels);
  if (!coupon) throw new ApiError('svc_api_not_found');
  return coupon;
}

async function snapshotOf({ figures }: Stores, couponId: number): Promise<Snapshot> {
  const snapshot = (await figures.snapshotsOf([couponId])).get(couponId);
  if (!snapshot) throw new Error(`There is no snapshot of coupon ${couponId}, not even an empty one.`);
  return snapshot;
}

export interface CouponReading {
  coupon: CouponWithTerms;
  user: User | null;
  snapshot: Snapshot;
  /** Where its affiliate wants to be paid. */
  details: PayoutDetails | null;
}

export async function readCoupon(stores: Stores, reader: CouponReader): Promise<CouponReading> {
  const coupon = await visibleCoupon(stores, reader);
  const snapshot = await snapshotOf(stores, coupon.id);
  if (coupon.userId === null) return { coupon, user: null, snapshot, details: null };
  return {
    coupon,
    user: await stores.users.byId(coupon.userId),
    snapshot,
    details: await stores.payoutDetails.ofUser(coupon.userId),
  };
}

export async function readOrders(stores: Stores, reader: CouponReader, filter: OrderFilter, page: Page): Promise<Paged<ListedOrder>> {
  const { id } = await visibleCoupon(stores, reader);
  return stores.orderPages.page(id, filter, page);
}

export interface StatisticsQuestion {
  range: DayRange;
  interval: Interval | undefined;
  /** Decision 9: ignored with a range. */
  refresh: boolean;
}

export interface CouponStatistics extends Statistics {
  coupon: CouponWithTerms;
  snapshot: Snapshot;
  codeIsShared: boolean;
}

export async function readCouponStatistics(
  storage: UnitOfWork,
  reader: CouponReader,
  { range, interval, refresh }: StatisticsQuestion,
  { now, ranges }: { now: number; ranges: RangeCache },
): Promise<CouponStatistics> {
  const secondsLeft = refresh && isOpen(range) ? await refreshed(storage, reader, now) : null;
  return storage.read(async (stores) => {
    const coupon = await visibleCoupon(stores, reader);
    const snapshot = await snapshotOf(stores, coupon.id);
    if (secondsLeft && !isStored(snapshot)) throw new ApiError('svc_api_throttled', { data: { retry_after: secondsLeft } });
    const question = { subject: `coupon ${coupon.id}`, snapshots: new Map([[coupon.id, snapshot]]), range, interval };
    const statistics = await statisticsOf(stores, question, ranges);
    const source = secondsLeft === null ? statistics.source : secondsLeft === 0 ? 'live' : 'throttled';
    return { ...statistics, source, coupon, snapshot, codeIsShared: await stores.coupons.codeIsShared(coupon) };
  }, mannerOf({ range, interval }));
}

/** 0 when the figures are new, else the seconds until they can be. */
async function refreshed(storage: UnitOfWork, reader: CouponReader, now: number): Promise<number> {
  const { id } = await storage.read((stores) => visibleCoupon(stores, reader));
  return refreshFigures(storage, id, now);
}
