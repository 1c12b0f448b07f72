import type { Coupon } from '../coupons/coupon.ts';
import type { DayRange } from '../dates.ts';
import { ApiError } from '../errors.ts';
import type { Snapshot } from '../figures/figures.ts';
import type { Interval } from '../figures/intervals.ts';
import { computeStatistics, type RangeCache, type Statistics } from '../figures/statistics.ts';
import type { Page, Paged } from '../page.ts';
import type { PayoutDetails } from '../payout-details/payout-details.ts';
import type { Stores } from '../ports.ts';
import type { Caller, User } from '../users/user.ts';
import type { Affiliate, AffiliateOrder } from './affiliate.ts';

export interface ListedAffiliate {
  user: User;
  coupons: Coupon[];
}

export async function listAffiliates(
  { affiliates, coupons }: Stores,
  search: string | undefined,
  order: AffiliateOrder,
  page: Page,
): Promise<Paged<ListedAffiliate>> {
  const { items, total } = await affiliates.page(search, order, page);
  const theirs = await coupons.ofUsers(items.map(({ id }) => id));
  return { items: items.map((user) => ({ user, coupons: theirs.filter(({ userId }) => userId === user.id) })), total };
}

async function visibleAffiliate({ affiliates }: Stores, caller: Caller, id: number): Promise<Affiliate> {
  const affiliate = await affiliates.visibleTo(caller, id);
  if (!affiliate) throw new ApiError('svc_api_not_found');
  return affiliate;
}

async function couponsWithSnapshots(
  { coupons, figures }: Stores,
  userId: number,
): Promise<{ coupons: Coupon[]; snapshots: Map<number, Snapshot> }> {
  const theirs = await coupons.ofUser(userId);
  return { coupons: theirs, snapshots: await figures.snapshotsOf(theirs.map(({ id }) => id)) };
}

export interface AffiliateReading {
  affiliate: Affiliate;
  coupons: Coupon[];
  /** One for each coupon. */
  snapshots: Map<number, Snapshot>;
  details: PayoutDetails | null;
  /** The whole upline, the direct parent first. */
  ancestors: User[];
}

export async function readAffiliate(stores: Stores, caller: Caller, id: number): Promise<AffiliateReading> {
  const affiliate = await visibleAffiliate(stores, caller, id);
  return {
    affiliate,
    ...(await couponsWithSnapshots(stores, id)),
    details: await stores.payoutDetails.ofUser(id),
    ancestors: await ancestorsOf(stores, id),
  };
}

/** Bounds the query; real hierarchies are far smaller. */
const mostTiers = 100;

async function ancestorsOf({ programUsers, users }: Stores, id: number): Promise<User[]> {
  const above = await programUsers.above([id], mostTiers);
  const byId = new Map((await users.byIds(above.map(({ ancestorId }) => ancestorId))).map((user) => [user.id, user]));
  return above.toSorted((one, other) => one.tier - other.tier).flatMap(({ ancestorId }) => byId.get(ancestorId) ?? []);
}

export interface AffiliateStatistics extends Statistics {
  userId: number;
  coupons: Coupon[];
}

export async function readAffiliateStatistics(
  stores: Stores,
  caller: Caller,
  id: number,
  { range, interval }: { range: DayRange; interval: Interval | undefined },
  ranges: RangeCache,
): Promise<AffiliateStatistics> {
  await visibleAffiliate(stores, caller, id);
  const { coupons, snapshots } = await couponsWithSnapshots(stores, id);
  const statistics = await computeStatistics(stores, { subject: `affiliate ${id}`, snapshots, range, interval }, ranges);
  return { ...statistics, userId: id, coupons };
}
