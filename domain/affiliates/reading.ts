import type { ClickRepository } from '../clicks/repository.ts';
import { type ClickStats, computeClickStats } from '../clicks/stats.ts';
import { type AffiliateBalances, type BalanceSources, type Balances, type Coupon, noBalances } from '../coupons/coupon.ts';
import type { CouponRepository } from '../coupons/repository.ts';
import type { DayRange } from '../dates.ts';
import { ApiError } from '../errors.ts';
import type { FigureRepository, Snapshot } from '../figures/figures.ts';
import type { Interval } from '../figures/intervals.ts';
import { computeStatistics, type RangeCache, type Statistics } from '../figures/statistics.ts';
import { groupBy } from '../group-by.ts';
import type { Page, Paged } from '../page.ts';
import type { PayoutDetails, PayoutDetailsRepository } from '../payout-details/payout-details.ts';
import type { ProgramUserRepository, UserRepository } from '../users/repository.ts';
import type { Caller, User } from '../users/user.ts';
import type { Affiliate, AffiliateFilter, AffiliateOrder, AffiliateRepository, AffiliateUser } from './affiliate.ts';

/** As the contract says. All coupons of an affiliate are in `GET /coupons`, page by page. */
const maxCoupons = 100;
const maxCouponsInList = 20;

/** The newest coupons of a user, and the balances of all. */
export interface OwnCoupons extends OwnBalances {
  coupons: Coupon[];
}

interface OwnBalances {
  balances: Balances;
  /** Null unless they are asked for. */
  sources: BalanceSources | null;
}

const nothing: AffiliateBalances = { ofCoupons: noBalances, paid: 0, sources: null };

/**
 * Paid is what the affiliate was paid: the pools of the coupons also have what former owners were paid, and what the affiliate was paid by
 * coupons that are another's now is not in them. The difference came with the hand-overs.
 */
function ownBalances({ ofCoupons, paid, sources }: AffiliateBalances = nothing): OwnBalances {
  const balances = { ...ofCoupons, paid };
  return { balances, sources: sources && { ...sources, handedOver: sources.handedOver + ofCoupons.paid - paid } };
}

export interface ListedAffiliate extends OwnCoupons {
  user: AffiliateUser;
}

export async function listAffiliates(
  { affiliates, coupons }: { affiliates: AffiliateRepository; coupons: CouponRepository },
  filter: AffiliateFilter,
  order: AffiliateOrder,
  page: Page,
): Promise<Paged<ListedAffiliate>> {
  const { items, total } = await affiliates.page(filter, order, page);
  const ids = items.map(({ id }) => id);
  const [listed, balances] = await Promise.all([coupons.newestOf(ids, maxCouponsInList), coupons.balancesOf(ids, { withSources: false })]);
  const newest = groupBy(listed, ({ userId }) => userId);
  return {
    items: items.map((user) => ({ user, coupons: newest.get(user.id) ?? [], ...ownBalances(balances.get(user.id)) })),
    total,
  };
}

export async function visibleAffiliate(
  { affiliates }: { affiliates: AffiliateRepository },
  caller: Caller,
  id: number,
): Promise<Affiliate> {
  const affiliate = await affiliates.visibleTo(caller, id);
  if (!affiliate) throw new ApiError('svc_api_not_found');
  return affiliate;
}

async function readCoupons(
  { coupons, figures }: { coupons: CouponRepository; figures: FigureRepository },
  userId: number,
  options = { withSources: false },
): Promise<OwnCoupons & { snapshots: Map<number, Snapshot> }> {
  const [newest, balances] = await Promise.all([coupons.newestOf([userId], maxCoupons), coupons.balancesOf([userId], options)]);
  return {
    coupons: newest,
    ...ownBalances(balances.get(userId)),
    snapshots: await figures.snapshotsOf(newest.map(({ id }) => id)),
  };
}

export interface AffiliateReading extends OwnCoupons {
  affiliate: Affiliate;
  /** One for each coupon. */
  snapshots: Map<number, Snapshot>;
  details: PayoutDetails | null;
  /** The whole upline, the direct parent first. */
  ancestors: User[];
}

interface AffiliateReadingRepositories {
  users: UserRepository;
  programUsers: ProgramUserRepository;
  affiliates: AffiliateRepository;
  coupons: CouponRepository;
  figures: FigureRepository;
  payoutDetails: PayoutDetailsRepository;
}

export async function readAffiliate(
  db: AffiliateReadingRepositories,
  caller: Caller,
  id: number,
  options: { withSources: boolean },
): Promise<AffiliateReading> {
  const affiliate = await visibleAffiliate(db, caller, id);
  const [coupons, details, ancestors] = await Promise.all([readCoupons(db, id, options), db.payoutDetails.ofUser(id), ancestorsOf(db, id)]);
  return { affiliate, ...coupons, details, ancestors };
}

/** Bounds the query; real hierarchies are far smaller. */
const mostTiers = 100;

async function ancestorsOf(
  { programUsers, users }: { programUsers: ProgramUserRepository; users: UserRepository },
  id: number,
): Promise<User[]> {
  const above = await programUsers.above([id], mostTiers);
  const byId = new Map((await users.byIds(above.map(({ ancestorId }) => ancestorId))).map((user) => [user.id, user]));
  return above.toSorted((one, other) => one.tier - other.tier).flatMap(({ ancestorId }) => byId.get(ancestorId) ?? []);
}

/** Clicks on the links of all coupons of an affiliate. */
export async function readAffiliateClicks(
  db: { affiliates: AffiliateRepository; coupons: CouponRepository; clicks: ClickRepository },
  caller: Caller,
  id: number,
  { campaign, zone, ...period }: { campaign: string | null; zone: string; range: DayRange; interval: Interval | undefined; today: string },
): Promise<ClickStats> {
  await visibleAffiliate(db, caller, id);
  const [coupon, ...others] = await db.coupons.newestOf([id], 2);
  // The visitors of one coupon are stored; those of several are counted click by click.
  const filter = coupon && others.length === 0 ? { couponId: coupon.id, campaign } : { userId: id, campaign, zone };
  return computeClickStats(db, filter, period);
}

export interface AffiliateStatistics extends Statistics, OwnCoupons {
  userId: number;
}

export async function readAffiliateStatistics(
  db: { affiliates: AffiliateRepository; coupons: CouponRepository; figures: FigureRepository },
  caller: Caller,
  id: number,
  period: { range: DayRange; interval: Interval | undefined; today: string },
  ranges: RangeCache,
): Promise<AffiliateStatistics> {
  await visibleAffiliate(db, caller, id);
  const [{ snapshots, ...own }, total] = await Promise.all([readCoupons(db, id), db.figures.ofUser(id)]);
  const query = { subject: { userId: id }, total, listed: snapshots, ...period };
  return { ...(await computeStatistics(db, query, ranges)), userId: id, ...own };
}
