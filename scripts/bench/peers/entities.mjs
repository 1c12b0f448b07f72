import typeorm from 'typeorm';

const { EntitySchema } = typeorm;
const id = { type: Number, primary: true, generated: true };
const columns = (type, ...names) => Object.fromEntries(names.map((name) => [name, { type, nullable: true }]));

const figures = ['orders_count', 'sales_minor', 'discount_minor', 'shipping_minor', 'commission_minor'];
const counts = ['n_pending', 'n_processing', 'n_on_hold', 'n_completed', 'n_failed', 'n_cancelled', 'n_refunded'];

export const User = new EntitySchema({
  name: 'User',
  tableName: 'users',
  columns: { id, ...columns(String, 'login', 'email', 'display_name', 'role'), ...columns(Number, 'parent_id') },
});

export const ApiKey = new EntitySchema({
  name: 'ApiKey',
  tableName: 'api_keys',
  columns: { id, ...columns(String, 'hash', 'scopes', 'expires_day'), ...columns(Number, 'user_id', 'revoked_at') },
  relations: { user: { type: 'many-to-one', target: 'User', joinColumn: { name: 'user_id' } } },
});

export const CouponTotals = new EntitySchema({
  name: 'CouponTotals',
  tableName: 'coupon_totals',
  columns: { coupon_id: { type: Number, primary: true }, ...columns(Number, ...figures, ...counts, 'version', 'refreshed_at') },
});

export const CouponDay = new EntitySchema({
  name: 'CouponDay',
  tableName: 'coupon_days',
  columns: { coupon_id: { type: Number, primary: true }, day: { type: String, primary: true }, ...columns(Number, ...figures, ...counts) },
});

export const PayoutDetails = new EntitySchema({
  name: 'PayoutDetails',
  tableName: 'payout_details',
  columns: { user_id: { type: Number, primary: true }, ...columns(String, 'method_type', 'encrypted_details') },
});

export const Coupon = new EntitySchema({
  name: 'Coupon',
  tableName: 'coupons',
  columns: {
    id,
    ...columns(String, 'code', 'status', 'discount_type'),
    ...columns(
      Number,
      'user_id',
      'created_at',
      'percent_thousandths',
      'fixed_per_order_minor',
      'fixed_per_product_minor',
      'discount_amount',
    ),
    ...columns(Number, 'unpaid_minor', 'pending_order_minor', 'pending_payout_minor', 'paid_minor'),
  },
  relations: {
    user: { type: 'many-to-one', target: 'User', joinColumn: { name: 'user_id' } },
    totals: { type: 'one-to-one', target: 'CouponTotals', joinColumn: { name: 'id', referencedColumnName: 'coupon_id' } },
    details: { type: 'many-to-one', target: 'PayoutDetails', joinColumn: { name: 'user_id', referencedColumnName: 'user_id' } },
  },
});

export const Order = new EntitySchema({
  name: 'Order',
  tableName: 'orders',
  columns: {
    order_id: { type: Number, primary: true },
    ...columns(
      Number,
      'coupon_id',
      'used_coupon_id',
      'placed_at',
      'total_minor',
      'discount_minor',
      'shipping_minor',
      'tax_minor',
      'quantity',
    ),
    ...columns(Number, 'refunded_minor', 'percent_thousandths', 'fixed_per_order_minor', 'fixed_per_product_minor', 'commission_minor'),
    ...columns(Number, 'granted_at', 'due_at'),
    ...columns(String, 'day', 'status', 'commission_status', 'credited_via', 'campaign', 'visitor_hash'),
  },
});

export const Posting = new EntitySchema({
  name: 'Posting',
  tableName: 'ledger',
  columns: {
    id,
    ...columns(String, 'movement', 'pool', 'reason', 'note'),
    ...columns(Number, 'coupon_id', 'amount_minor', 'order_id', 'payout_id', 'user_id', 'created_at'),
  },
});

export const FeedEvent = new EntitySchema({
  name: 'FeedEvent',
  tableName: 'events',
  columns: {
    id: { type: Number, primary: true },
    ...columns(String, 'kind', 'type', 'object_type', 'info', 'data'),
    ...columns(Number, 'ordinal', 'object_id', 'user_id', 'created_at'),
  },
});

export const entities = [User, ApiKey, CouponTotals, CouponDay, PayoutDetails, Coupon, Order, Posting, FeedEvent];
