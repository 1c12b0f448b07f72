import type { EntityManager } from 'typeorm';
import type { CouponTerms, CouponTermsStore, NewCouponTerms } from '../../domain/coupons/terms.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { foldCase } from '../sql/fold-case.ts';
import { insertRow } from '../sql/insert-with-id.ts';
import { jsonList } from '../sql/json-parameters.ts';

export const couponTermsStore = (manager: EntityManager): CouponTermsStore => ({
  byIds: (ids) => select(manager, 'bigint', ids.filter(isId), (list) => `id in ${list} order by id`),
  publishedByCodes: (foldedCodes) => {
    // PostgreSQL keeps no such text, and would refuse to compare.
    const codes = foldedCodes.filter((code) => !code.includes('\0'));
    return select(manager, 'text', codes, (list) => `status = 'publish' and code_folded in ${list} order by id`);
  },
  oldestPublishedOf: async (userIds) => {
    const published = await ofUsers(manager, userIds, `and status = 'publish'`);
    return published.filter(({ userId }, index) => userId !== published[index - 1]?.userId);
  },
  ofUsers: (userIds) => ofUsers(manager, userIds),
  insert: (coupon, id) => insertRow(manager, 'coupons', rowOf(coupon), id),
  assign: async (id, userId) => void (await manager.query('update coupons set user_id = $1 where id = $2', [userId, id])),
});

const ofUsers = (manager: EntityManager, userIds: readonly number[], condition = ''): Promise<CouponTerms[]> =>
  select(manager, 'bigint', userIds.filter(isId), (list) => `user_id in ${list} ${condition} order by user_id, created_at, id`);

const columns = [
  'id',
  'code',
  'code_folded',
  'user_id',
  'status',
  'created_at',
  'percent_thousandths',
  'fixed_per_order_minor',
  'fixed_per_product_minor',
  'discount_type',
  'discount_amount',
] as const;

async function select(
  manager: EntityManager,
  type: 'bigint' | 'text',
  values: readonly unknown[],
  matching: (list: string) => string,
): Promise<CouponTerms[]> {
  if (values.length === 0) return [];
  const where = matching(jsonList(manager, type));
  const rows: Row[] = await manager.query(`select ${columns.join(', ')} from coupons where ${where}`, [JSON.stringify(values)]);
  return rows.map(toTerms);
}

type Row = Record<(typeof columns)[number], unknown>;

const wholeOrNull = (stored: unknown): number | null => (stored === null ? null : toSafeInteger(stored));

const toTerms = (row: Row): CouponTerms => ({
  id: toSafeInteger(row.id),
  code: String(row.code),
  codeFolded: String(row.code_folded),
  userId: wholeOrNull(row.user_id),
  status: row.status as CouponTerms['status'],
  createdAt: toSafeInteger(row.created_at),
  percentThousandths: wholeOrNull(row.percent_thousandths),
  fixedPerOrder: wholeOrNull(row.fixed_per_order_minor),
  fixedPerProduct: wholeOrNull(row.fixed_per_product_minor),
  discountType: row.discount_type as CouponTerms['discountType'],
  discountAmount: toSafeInteger(row.discount_amount),
});

const rowOf = (coupon: NewCouponTerms): Record<string, unknown> => ({
  code: coupon.code,
  code_folded: foldCase(coupon.code),
  user_id: coupon.userId,
  status: coupon.status,
  created_at: coupon.createdAt,
  percent_thousandths: coupon.percentThousandths,
  fixed_per_order_minor: coupon.fixedPerOrder,
  fixed_per_product_minor: coupon.fixedPerProduct,
  discount_type: coupon.discountType,
  discount_amount: coupon.discountAmount,
});
