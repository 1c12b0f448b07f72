import { type DayRange, isOpen } from '../dates.ts';
import { ApiError } from '../errors.ts';
import { isStored } from '../figures/figures.ts';
import type { Interval } from '../figures/intervals.ts';
import { type RefreshRepositories, refreshFigures } from '../figures/refresh.ts';
import { computeStatistics, isAllTime, type RangeCache, type Statistics } from '../figures/statistics.ts';
import type { ListedOrder, OrderFilter, OrderPageRepository } from '../orders/order-pages.ts';
import type { Page, Paged } from '../page.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import type { Caller } from '../users/user.ts';
import type { CouponDetails, CouponTotals, CouponWithTerms } from './coupon.ts';
import type { CouponRepository } from './repository.ts';

export interface CouponReader {
  caller: Caller;
  couponId: number;
  /** Whether affiliates above the owner may read it too. */
  levels: { upline: boolean };
}

const found = <Value>(value: Value | null): Value => {
  if (value === null) throw new ApiError('svc_api_not_found');
  return value;
};

export const visibleCoupon = async (
  { coupons }: { coupons: CouponRepository },
  { caller, couponId, levels }: CouponReader,
): Promise<CouponWithTerms> => found(await coupons.visibleTo(caller, couponId, levels));

/** One statement. */
export const readCoupon = async (
  { coupons }: { coupons: CouponRepository },
  { caller, couponId, levels }: CouponReader,
  withSources: boolean,
): Promise<CouponDetails> => found(await coupons.detailsVisibleTo(caller, couponId, levels, withSources));

export async function readOrders(
  db: { coupons: CouponRepository; orderPages: OrderPageRepository },
  reader: CouponReader,
  filter: OrderFilter,
  page: Page,
): Promise<Paged<ListedOrder>> {
  const { id } = await visibleCoupon(db, reader);
  return db.orderPages.page(id, filter, page);
}

export interface CouponStatsQuery {
  range: DayRange;
  interval: Interval | undefined;
  today: string;
  /** Ignored with a range. */
  refresh: boolean;
}

export interface CouponStatistics extends Statistics, CouponTotals {
  /** The seconds until a refresh that was throttled is possible. */
  retryAfter: number | null;
}

interface CouponStatisticsRepositories extends RefreshRepositories {
  coupons: CouponRepository;
}

export async function readCouponStatistics(
  storage: UnitOfWork<CouponStatisticsRepositories>,
  reader: CouponReader,
  { range, interval, today, refresh }: CouponStatsQuery,
  { now, ranges }: { now: number; ranges: RangeCache },
): Promise<CouponStatistics> {
  const secondsLeft = refresh && isOpen(range) ? await refreshIfDue(storage, reader, now) : null;
  const read = async (db: CouponStatisticsRepositories): Promise<CouponStatistics> => {
    const totals = found(await db.coupons.totalsVisibleTo(reader.caller, reader.couponId, reader.levels));
    const { coupon, snapshot } = totals;
    if (secondsLeft && !isStored(snapshot)) throw new ApiError('svc_api_throttled', { data: { retry_after: secondsLeft } });
    const query = { subject: { couponId: coupon.id }, total: snapshot, listed: new Map(), range, interval, today };
    const statistics = await computeStatistics(db, query, ranges);
    const source = secondsLeft === null ? statistics.source : secondsLeft === 0 ? 'live' : 'throttled';
    return { ...statistics, ...totals, source, retryAfter: secondsLeft || null };
  };
  return isAllTime({ range, interval }) ? storage.query(read) : storage.read(read);
}

/** 0 when the figures are new, else the seconds until they can be. */
async function refreshIfDue(storage: UnitOfWork<CouponStatisticsRepositories>, reader: CouponReader, now: number): Promise<number> {
  const { id } = await storage.query((db) => visibleCoupon(db, reader));
  return refreshFigures(storage, id, now);
}
