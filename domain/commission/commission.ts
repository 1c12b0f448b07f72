import type { Terms } from '../coupons/coupon.ts';
import { type Minor, share } from '../money.ts';
import type { Order, Rates } from '../orders/order.ts';

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
