/** What lists tell of a coupon, and what is told of one alone besides. */
export const couponColumns = [
  'id',
  'code',
  'user_id',
  'status',
  'created_at',
  'unpaid_minor',
  'pending_order_minor',
  'pending_payout_minor',
  'paid_minor',
];
export const termColumns = ['percent_thousandths', 'fixed_per_order_minor', 'fixed_per_product_minor', 'discount_type', 'discount_amount'];
