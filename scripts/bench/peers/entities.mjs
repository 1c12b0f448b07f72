// TypeORM entities with every column of their table, read from the data set.
import typeorm from 'typeorm';
import { columnsOf } from './storage.mjs';

const columnOf = ({ name, isText, isPrimary, fallback }) => [
  name,
  { type: isText ? String : Number, primary: isPrimary, nullable: true, ...(fallback !== null && { default: () => fallback }) },
];

const entity = async (name, tableName, relations = {}) =>
  new typeorm.EntitySchema({ name, tableName, columns: Object.fromEntries((await columnsOf(tableName)).map(columnOf)), relations });

const user = { type: 'many-to-one', target: 'User', joinColumn: { name: 'user_id' } };

export const User = await entity('User', 'users');
export const ApiKey = await entity('ApiKey', 'api_keys', { user });
export const CouponTotals = await entity('CouponTotals', 'coupon_totals');
export const CouponDay = await entity('CouponDay', 'coupon_days');
export const PayoutDetails = await entity('PayoutDetails', 'payout_details');
export const Coupon = await entity('Coupon', 'coupons', {
  user,
  totals: { type: 'one-to-one', target: 'CouponTotals', joinColumn: { name: 'id', referencedColumnName: 'coupon_id' } },
  details: { type: 'many-to-one', target: 'PayoutDetails', joinColumn: { name: 'user_id', referencedColumnName: 'user_id' } },
});
export const Order = await entity('Order', 'orders');
export const Posting = await entity('Posting', 'ledger');
export const FeedEvent = await entity('FeedEvent', 'events');

export const entities = [User, ApiKey, CouponTotals, CouponDay, PayoutDetails, Coupon, Order, Posting, FeedEvent];
