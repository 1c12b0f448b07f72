import type { Terms } from '../coupons/coupon.ts';
import { type Minor, share } from '../money.ts';
import type { Order, Rates } from '../orders/order.ts';

/** Whole thousandths of a percent: what divides a rate. */
export const wholeInThousandths = 100_000;

type Amounts = Pick<Order, 'total' | 'discount' | 'refunded' | 'quantity'>;

/** What is paid for the goods. */
export const netOf = ({ total, discount }: Pick<Order, 'total' | 'discount'>): Minor => total - discount;

/** Each rate is the coupon's own, where it has one, else the store's. */
export const ratesOf = (own: Terms, ofStore: Rates): Rates => ({
  percentThousandths: own.percentThousandths ?? ofStore.percentThousandths,
  fixedPerOrder: own.fixedPerOrder ?? ofStore.fixedPerOrder,
  fixedPerProduct: own.fixedPerProduct ?? ofStore.fixedPerProduct,
});

/**
 * The commission of an order that was not taken back. A refund scales all of it, the fixed parts too. Where the goods cost nothing (a
 * discount of 100 %) there is nothing to refund, and only the fixed parts are left.
 */
export function commissionOf(order: Amounts, { percentThousandths, fixedPerOrder, fixedPerProduct }: Rates): Minor {
  const net = netOf(order);
  const full = share(net, percentThousandths, wholeInThousandths) + fixedPerOrder + fixedPerProduct * order.quantity;
  return order.refunded === 0 ? full : share(full, net - order.refunded, net);
}

/** What one tier gets of a commission. */
export const tierShareOf = (commission: Minor, rateThousandths: number): Minor => share(commission, rateThousandths, wholeInThousandths);
