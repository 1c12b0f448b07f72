import type { Terms } from '../coupons/coupon.ts';
import { directed, type Movement, type Pool } from '../ledger/movement.ts';
import { type Minor, share } from '../money.ts';
import type { Order, Share } from '../orders/order.ts';
import { becomesGranted, describeChange, grantedDifference, type OrderChange } from '../orders/order-change.ts';
import type { Rates } from '../program.ts';

/** 100 % in thousandths of a percent. */
export const wholeInThousandths = 100_000;

type Amounts = Pick<Order, 'total' | 'discount' | 'refunded' | 'quantity'>;

/** The price of the goods after discount. */
export const netOf = ({ total, discount }: Pick<Order, 'total' | 'discount'>): Minor => total - discount;

/** The coupon's own rates take precedence over the store's. */
export const ratesOf = (own: Terms, ofStore: Rates): Rates => ({
  percentThousandths: own.percentThousandths ?? ofStore.percentThousandths,
  fixedPerOrder: own.fixedPerOrder ?? ofStore.fixedPerOrder,
  fixedPerProduct: own.fixedPerProduct ?? ofStore.fixedPerProduct,
});

/**
 * Computes the commission of an order that is not reversed. A refund scales all of it, the fixed parts too. With a discount of 100 % only
 * the fixed parts remain.
 */
export function commissionOf(order: Amounts, { percentThousandths, fixedPerOrder, fixedPerProduct }: Rates): Minor {
  const net = netOf(order);
  const full = share(net, percentThousandths, wholeInThousandths) + fixedPerOrder + fixedPerProduct * order.quantity;
  return order.refunded === 0 ? full : share(full, net - order.refunded, net);
}

export const tierShareOf = (commission: Minor, rateThousandths: number): Minor => share(commission, rateThousandths, wholeInThousandths);

export interface ShareChange {
  share: Share;
  difference: Minor;
}

export const touchesShares = (change: OrderChange): boolean => becomesGranted(change) || grantedDifference(change) !== 0;

/** Shares follow the granted commission: a reversal sets them to zero, a new grant restores them at the same rate. */
export const shareChanges = ({ after }: OrderChange, shares: readonly Share[]): ShareChange[] =>
  shares.map((share) => {
    const amount = after.commissionStatus === 'granted' ? tierShareOf(after.commission, share.rateThousandths) : 0;
    return { share: { ...share, amount }, difference: amount - share.amount };
  });

export const shareNote = (change: OrderChange, difference: Minor): string =>
  difference > 0 ? `Share of the commission of order ${change.after.orderId}.` : describeChange(change);

export const shareMovement = (
  change: OrderChange,
  { share, difference }: ShareChange,
  { userId, now }: { userId: number; now: number },
  pool: Pool = 'unpaid',
): Movement => ({
  couponId: share.couponId,
  reason: 'mla',
  orderId: share.orderId,
  payoutId: null,
  userId,
  note: shareNote(change, difference),
  at: now,
  ...directed('store', pool, difference),
});
