import type { CouponStatus } from '../../domain/coupons/coupon.ts';
import type { StoredSum } from '../../domain/ledger/movement.ts';
import type { DiscountType } from '../../domain/program.ts';
import { bigint, entity, generatedId, hidden, json, nullable, text, withDefault } from './columns.ts';

export const balanceColumns = {
  unpaid: withDefault(bigint('unpaid_minor'), 0),
  pendingOrder: withDefault(bigint('pending_order_minor'), 0),
  pendingPayout: withDefault(bigint('pending_payout_minor'), 0),
  paid: withDefault(bigint('paid_minor'), 0),
};

/** What balances consist of beside the commission of a coupon's own orders: sums of its movements. */
export const sourceColumns = {
  multiLevel: withDefault(bigint('multi_level_minor'), 0),
  handedOver: withDefault(bigint('handed_over_minor'), 0),
};

export const coupons = entity(
  'coupons',
  {
    id: generatedId,
    code: text('code'),
    codeFolded: hidden(text('code_folded')),
    userId: nullable(bigint('user_id')),
    status: text<CouponStatus>('status'),
    createdAt: bigint('created_at'),
    handovers: hidden(withDefault(bigint('handovers'), 0)),
    forfeits: hidden(withDefault(json<number[]>('forfeits'), '[]')),
    multiLevel: hidden(sourceColumns.multiLevel),
    handedOver: hidden(sourceColumns.handedOver),
  },
  {
    terms: {
      percentThousandths: nullable(bigint('percent_thousandths')),
      fixedPerOrder: nullable(bigint('fixed_per_order_minor')),
      fixedPerProduct: nullable(bigint('fixed_per_product_minor')),
      discountType: withDefault(text<DiscountType>('discount_type'), 'percent'),
      discountAmount: withDefault(bigint('discount_amount'), 0),
    },
    balances: balanceColumns,
  },
);

/** The column in which a coupon stores the balance of a pool, or another sum of its movements. */
export const balanceColumn = (sum: StoredSum): string => `${sum}_minor`;
