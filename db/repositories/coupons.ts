import type { EntityManager } from 'typeorm';
import { type Caller, callerIsAdmin } from '../../domain/caller.ts';
import type { Coupon, CouponWithTerms, NewCoupon, Terms } from '../../domain/coupons/coupon.ts';
import type { CouponFilter, CouponOrder, CouponStore } from '../../domain/coupons/store.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { couponColumns } from '../entities/coupon-columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { foldCase } from '../sql/fold-case.ts';
import { visibleCoupon } from './visible-coupons.ts';

type Row = Record<string, unknown>;

export const couponStore = (manager: EntityManager): CouponStore => ({
  ofUser: (userId) => ofUsers(manager, [userId]),
  ofUsers: (userIds) => ofUsers(manager, userIds),
  visibleTo: (caller, id, levels) => visibleTo(manager, caller, id, levels?.upline ?? false),
  page: (filter, order, page) => pageOf(manager, filter, order, page),
  codeIsShared: async ({ id, code }) => (await manager.query(otherOfCode, [foldCase(code), id])).length > 0,
  insert: (coupon) => insert(manager, coupon),
  anyMoney: async () => (await manager.query(firstWithMoney)).length > 0,
});

const columns = couponColumns.join(', ');

const firstWithMoney = `
  select id from coupons
  where unpaid_minor <> 0 or pending_order_minor <> 0 or pending_payout_minor <> 0 or paid_minor <> 0
  limit 1`;

const otherOfCode = "select id from coupons where code_folded = $1 and status = 'publish' and id <> $2 limit 1";

async function ofUsers(manager: EntityManager, userIds: readonly number[]): Promise<Coupon[]> {
  const ids = userIds.filter(isId);
  if (ids.length === 0) return [];
  const { where, values } = new Conditions().isOneOf('user_id', ids);
  const rows: Row[] = await manager.query(`select ${columns} from coupons ${where} order by created_at desc, id desc`, values);
  return rows.map(toCoupon);
}

async function visibleTo(manager: EntityManager, caller: Caller, id: number, upline: boolean): Promise<CouponWithTerms | null> {
  if (!isId(id)) return null;
  const row = await visibleCoupon(manager, { couponId: id, readerId: caller.user.id, isAdmin: callerIsAdmin(caller), upline });
  return row && { ...toCoupon(row), terms: toTerms(row) };
}

const orderColumn: Record<CouponOrder['by'], string> = {
  id: 'id',
  code: 'code_folded',
  unpaid_commission: 'unpaid_minor',
  date_created: 'created_at',
};

async function pageOf(manager: EntityManager, filter: CouponFilter, { by, direction }: CouponOrder, page: Page): Promise<Paged<Coupon>> {
  const { userId, search, status } = filter;
  if (userId !== undefined && !isId(userId)) return { items: [], total: 0 };
  const matching = new Conditions().and('user_id is not null').and('status = ?', status);
  if (userId !== undefined) matching.and('user_id = ?', userId);
  if (search !== undefined) matching.hold(['code_folded'], search);

  const { where, values } = matching;
  const [counted]: { total: unknown }[] = await manager.query(`select count(*) as total from coupons ${where}`, values);
  const total = toSafeInteger(counted?.total);
  if (isPastTheEnd(page, total)) return { items: [], total };
  const rows: Row[] = await manager.query(
    `select ${columns} from coupons ${where} order by ${orderColumn[by]} ${direction}, id ${direction}
     limit ${page.perPage} offset ${offsetOf(page)}`,
    values,
  );
  return { items: rows.map(toCoupon), total };
}

// TypeORM would write null on SQLite wherever the table has a default. In lower case, because of what it does with "INSERT ".
const insertWithDefaults = `
  insert into coupons (code, code_folded, user_id, status, created_at) values ($1, $2, $3, $4, $5)
  returning id`;

async function insert(manager: EntityManager, { code, userId, status, createdAt }: NewCoupon): Promise<number> {
  const [inserted]: Row[] = await manager.query(insertWithDefaults, [code, foldCase(code), userId, status, createdAt]);
  return toSafeInteger(inserted?.['id']);
}

const wholeOrNull = (stored: unknown): number | null => (stored === null ? null : toSafeInteger(stored));

const toCoupon = (row: Row): Coupon => ({
  id: toSafeInteger(row['id']),
  code: String(row['code']),
  userId: wholeOrNull(row['user_id']),
  status: row['status'] as Coupon['status'],
  createdAt: toSafeInteger(row['created_at']),
  balances: {
    unpaid: toSafeInteger(row['unpaid_minor']),
    pendingOrder: toSafeInteger(row['pending_order_minor']),
    pendingPayout: toSafeInteger(row['pending_payout_minor']),
    paid: toSafeInteger(row['paid_minor']),
  },
});

const toTerms = (row: Row): Terms => ({
  percentThousandths: wholeOrNull(row['percent_thousandths']),
  fixedPerOrder: wholeOrNull(row['fixed_per_order_minor']),
  fixedPerProduct: wholeOrNull(row['fixed_per_product_minor']),
  discountType: row['discount_type'] as Terms['discountType'],
  discountAmount: toSafeInteger(row['discount_amount']),
});
