import type { CouponTerms, CouponTermsRepository } from '../coupons/terms.ts';
import { groupBy } from '../group-by.ts';
import type { OrderRepository, Share } from '../orders/order.ts';
import { becomesGranted, type OrderChange } from '../orders/order-change.ts';
import type { ProgramUserRepository } from '../users/repository.ts';
import { touchesShares } from './commission.ts';

/** An affiliate above another, and the coupon that receives the shares. */
interface Tier {
  tier: number;
  userId: number;
  coupon: CouponTerms;
}

/** The shares of a batch of orders, and the recipients for orders that have none yet. */
export interface Upline {
  sharesOf: Map<number, Share[]>;
  tiersOf: Map<number, Tier[]>;
  coupons: Map<number, CouponTerms>;
  ratesThousandths: readonly number[];
}

export interface UplineRepositories {
  orders: OrderRepository;
  couponTerms: CouponTermsRepository;
  programUsers: ProgramUserRepository;
}

export async function loadUpline(
  db: UplineRepositories,
  changes: readonly OrderChange[],
  coupons: ReadonlyMap<number, CouponTerms>,
  ratesThousandths: readonly number[],
): Promise<Upline> {
  const sharing = changes.filter(touchesShares);
  const loaded = sharing.filter(({ before }) => before !== null).map(({ after }) => after.orderId);
  const shares = loaded.length === 0 ? [] : await db.orders.sharesOf([...new Set(loaded)]);
  const owners = new Set<number>();
  if (ratesThousandths.length > 0)
    for (const { after } of sharing.filter(becomesGranted)) owners.add(coupons.get(after.couponId)?.userId ?? 0);
  const tiersOf = await tiersAbove(db, [...owners], ratesThousandths.length);
  const paidTo = shares.length === 0 ? [] : await db.couponTerms.byIds([...new Set(shares.map(({ couponId }) => couponId))]);
  const credited = [...tiersOf.values()].flatMap((tiers) => tiers.map(({ coupon }) => coupon));
  return {
    sharesOf: groupBy(shares, ({ orderId }) => orderId),
    tiersOf,
    coupons: new Map([...paidTo, ...credited].map((coupon) => [coupon.id, coupon])),
    ratesThousandths,
  };
}

/** The creditable tiers above each user: those with a published coupon, of which the oldest is credited. */
async function tiersAbove(
  { programUsers, couponTerms }: UplineRepositories,
  userIds: readonly number[],
  depth: number,
): Promise<Map<number, Tier[]>> {
  const ancestors = userIds.length === 0 ? [] : await programUsers.above(userIds, depth);
  if (ancestors.length === 0) return new Map();
  const coupons = await couponTerms.oldestPublishedOf([...new Set(ancestors.map(({ ancestorId }) => ancestorId))]);
  const couponOf = new Map(coupons.map((coupon) => [coupon.userId, coupon]));
  const tiers = ancestors.flatMap(({ userId: below, tier, ancestorId: userId }) => {
    const coupon = couponOf.get(userId);
    return coupon ? [{ below, tier, userId, coupon }] : [];
  });
  return groupBy(tiers, ({ below }) => below);
}

/** The shares before a change. They are created when commission is first granted. */
export function sharesBefore(change: OrderChange, owner: number | null, { sharesOf, tiersOf, ratesThousandths }: Upline): Share[] {
  const { orderId } = change.after;
  const shares = sharesOf.get(orderId);
  if (shares || !becomesGranted(change) || owner === null) return shares ?? [];
  return (tiersOf.get(owner) ?? []).map(({ tier, userId, coupon }) => {
    const rateThousandths = ratesThousandths[tier - 1] ?? 0;
    return { orderId, tier, couponId: coupon.id, userId, rateThousandths, amount: 0, handovers: coupon.handovers };
  });
}
