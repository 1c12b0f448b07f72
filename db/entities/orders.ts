import type { CommissionStatus, CreditedVia, OrderStatus } from '../../domain/orders/order.ts';
import type { OrderMark } from '../../domain/orders/order-mark.ts';
import { bigint, boolean, entity, nullable, primary, text, withDefault } from './columns.ts';

export const orders = entity(
  'orders',
  {
    orderId: primary(bigint('order_id')),
    couponId: bigint('coupon_id'),
    usedCouponId: nullable(bigint('used_coupon_id')),
    day: text('day'),
    placedAt: bigint('placed_at'),
    status: text<OrderStatus>('status'),
    total: bigint('total_minor'),
    discount: bigint('discount_minor'),
    shipping: bigint('shipping_minor'),
    tax: bigint('tax_minor'),
    quantity: bigint('quantity'),
    refunded: bigint('refunded_minor'),
    commission: bigint('commission_minor'),
    commissionStatus: text<CommissionStatus>('commission_status'),
    grantedAt: nullable(bigint('granted_at')),
    dueAt: bigint('due_at'),
    hasCompleted: withDefault(boolean('has_completed'), 0),
    creditedVia: text<CreditedVia>('credited_via'),
    campaign: nullable(text('campaign')),
    visitorHash: nullable(text('visitor_hash')),
    handovers: withDefault(bigint('handovers'), 0),
  },
  {
    rates: {
      percentThousandths: bigint('percent_thousandths'),
      fixedPerOrder: bigint('fixed_per_order_minor'),
      fixedPerProduct: bigint('fixed_per_product_minor'),
    },
  },
);

export const orderShares = entity('order_shares', {
  orderId: primary(bigint('order_id')),
  tier: primary(bigint('tier')),
  couponId: bigint('coupon_id'),
  userId: bigint('user_id'),
  rateThousandths: bigint('rate_thousandths'),
  amount: bigint('amount_minor'),
  handovers: withDefault(bigint('handovers'), 0),
});

export const lifetimeLinks = entity('lifetime_links', {
  visitorHash: primary(text('visitor_hash')),
  couponId: bigint('coupon_id'),
  createdAt: bigint('created_at'),
});

/** Results of comparisons that only the moment of recording allows. */
export const orderMarks = entity('order_marks', {
  orderId: primary(bigint('order_id')),
  kind: primary(text<OrderMark['kind']>('kind')),
  couponId: bigint('coupon_id'),
  net: bigint('net_minor'),
  commission: bigint('commission_minor'),
});
