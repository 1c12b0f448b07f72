// TypeORM entities with every column of their table, read from the data set.
import Database from 'better-sqlite3';
import typeorm from 'typeorm';
import { databaseFile } from './job.mjs';

const database = new Database(databaseFile, { readonly: true });

const columnOf = ({ name, type, pk, dflt_value: fallback }) => [
  name,
  { type: type === 'TEXT' ? String : Number, primary: pk > 0, nullable: true, ...(fallback !== null && { default: () => fallback }) },
];

const entity = (name, tableName, relations = {}) =>
  new typeorm.EntitySchema({
    name,
    tableName,
    columns: Object.fromEntries(database.pragma(`table_info(${tableName})`).map(columnOf)),
    relations,
  });

const user = { type: 'many-to-one', target: 'User', joinColumn: { name: 'user_id' } };

export const User = entity('User', 'users');
export const ApiKey = entity('ApiKey', 'api_keys', { user });
export const CouponTotals = entity('CouponTotals', 'coupon_totals');
export const CouponDay = entity('CouponDay', 'coupon_days');
export const PayoutDetails = entity('PayoutDetails', 'payout_details');
export const Coupon = entity('Coupon', 'coupons', {
  user,
  totals: { type: 'one-to-one', target: 'CouponTotals', joinColumn: { name: 'id', referencedColumnName: 'coupon_id' } },
  details: { type: 'many-to-one', target: 'PayoutDetails', joinColumn: { name: 'user_id', referencedColumnName: 'user_id' } },
});
export const Order = entity('Order', 'orders');
export const Posting = entity('Posting', 'ledger');
export const FeedEvent = entity('FeedEvent', 'events');

database.close();

export const entities = [User, ApiKey, CouponTotals, CouponDay, PayoutDetails, Coupon, Order, Posting, FeedEvent];
