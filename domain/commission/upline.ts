import type { CouponTerms } from '../coupons/terms.ts';
import { grouped } from '../grouped.ts';
import type { Share } from '../orders/order.ts';
import { becomesGranted, type Step } from '../orders/order-change.ts';
import type { Transaction } from '../ports.ts';
import { touchesShares } from './shares.ts';

/** Somebody above an affiliate, and the coupon to which their shares go. */
interface Tier {
  tier: number;
  userId: number;
  coupon: CouponTerms;
}

/** The shares of a batch of orders as they stand, and who would get one of those that have none yet. */
export interface Upline {
  sharesOf: Map<number, Share[]>;
  tiersOf: Map<number, Tier[]>;
  coupons: Map<number, CouponTerms>;
  ratesThousandths: readonly number[];
}

export async function loadUpline(
  transaction: Transaction,
  steps: readonly Step[],
  coupons: ReadonlyMap<number, CouponTerms>,
  ratesThousandths: readonly number[],
): Promise<Upline> {
  const sharing = steps.filter(touchesShares);
  const known = sharing.filter(({ before }) => before !== null).map(({ after }) => after.orderId);
  const shares = known.length === 0 ? [] : await transaction.orders.sharesOf([...new Set(known)]);
  const owners = new Set<number>();
  if (ratesThousandths.length > 0)
    for (const { after } of sharing.filter(becomesGranted)) owners.add(coupons.get(after.couponId)?.userId ?? 0);
  const tiersOf = await tiersAbove(transaction, [...owners], ratesThousandths.length);
  const paidTo = shares.length === 0 ? [] : await transaction.couponTerms.byIds([...new Set(shares.map(({ couponId }) => couponId))]);
  const credited = [...tiersOf.values()].flatMap((tiers) => tiers.map(({ coupon }) => coupon));
  return {
    sharesOf: grouped(shares, ({ orderId }) => orderId),
    tiersOf,
    coupons: new Map([...paidTo, ...credited].map((coupon) => [coupon.id, coupon])),
    ratesThousandths,
  };
}

/** Of each user the tiers above that can be credited: those with a published coupon, the oldest of which gets it. */
async function tiersAbove(
  { programUsers, couponTerms }: Transaction,
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
  return grouped(tiers, ({ below }) => below);
}

/** The shares of the step's order as they stand before it. They come into being when commission is granted for the first time. */
export function sharesBefore(step: Step, owner: number | null, { sharesOf, tiersOf, ratesThousandths }: Upline): Share[] {
  const { orderId } = step.after;
  const shares = sharesOf.get(orderId);
  if (shares || !becomesGranted(step) || owner === null) return shares ?? [];
  return (tiersOf.get(owner) ?? []).map(({ tier, userId, coupon }) => {
    const rateThousandths = ratesThousandths[tier - 1] ?? 0;
    return { orderId, tier, couponId: coupon.id, userId, rateThousandths, amount: 0 };
  });
}
