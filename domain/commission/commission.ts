import type { Terms } from '../coupons/coupon.ts';
import { directed, type Movement, type Pool } from '../ledger/movement.ts';
import { fractionOf, type Minor } from '../money.ts';
import type { Order, Share } from '../orders/order.ts';
import { becomesGranted, describeChange, grantedDifference, type OrderChange } from '../orders/order-change.ts';
import type { Rates } from '../program.ts';

/** Thousandths of a percent of an amount, rounded half up. */
export const percentOf = (amount: Minor, thousandths: number): Minor => fractionOf(amount, thousandths, 100_000);

type Amounts = Pick<Order, 'total' | 'discount' | 'refunded' | 'quantity'>;

/** The price of the goods after discount. */
export const netOf = ({ total, discount }: Pick<Order, 'total' | 'discount'>): Minor => total - discount;

/** The coupon's own rates take precedence over the store's. */
export const ratesOf = (own: Terms, ofStore: Rates): Rates => ({
  percentThousandths: own.percentThousandths ?? ofStore.percentThousandths,
  fixedPerOrder: own.fixedPerOrder ?? ofStore.fixedPerOrder,
  fixedPerProduct: own.fixedPerProduct ?? ofStore.fixedPerProduct,
});

/** What the commission consists of before refunds. With a discount of 100 % only the fixed parts remain. */
export function commissionParts(order: Omit<Amounts, 'refunded'>, { percentThousandths, fixedPerOrder, fixedPerProduct }: Rates) {
  const net = netOf(order);
  const percent = percentOf(net, percentThousandths);
  const perProduct = fixedPerProduct * order.quantity;
  return { net, percent, perProduct, full: percent + fixedPerOrder + perProduct };
}

/** A refund scales all of the commission, the fixed parts too. */
export const afterRefund = (full: Minor, net: Minor, refunded: Minor): Minor => fractionOf(full, net - refunded, net);

/** Computes the commission of an order that is not reversed. */
export function commissionOf(order: Amounts, rates: Rates): Minor {
  const { net, full } = commissionParts(order, rates);
  return order.refunded === 0 ? full : afterRefund(full, net, order.refunded);
}

export interface ShareChange {
  share: Share;
  difference: Minor;
}

export const touchesShares = (change: OrderChange): boolean => becomesGranted(change) || grantedDifference(change) !== 0;

/** Shares follow the granted commission: a reversal sets them to zero, a new grant restores them at the same rate. */
export const shareChanges = ({ after }: OrderChange, shares: readonly Share[]): ShareChange[] =>
  shares.map((share) => {
    const amount = after.commissionStatus === 'granted' ? percentOf(after.commission, share.rateThousandths) : 0;
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
