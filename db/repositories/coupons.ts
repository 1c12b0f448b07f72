import type { EntityManager } from 'typeorm';
import type { Coupon, CouponDetails, CouponTotals, CouponWithTerms, NewCoupon, Terms } from '../../domain/coupons/coupon.ts';
import type { CouponFilter, CouponOrder, CouponStore } from '../../domain/coupons/store.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { couponColumns } from '../entities/coupon-columns.ts';
import { toUser, userFields } from '../entities/user-columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { foldCase } from '../sql/fold-case.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { toSnapshot, totalsColumns } from './figures.ts';
import { detailsColumns, toDetails } from './payout-details.ts';
import { type CouponReader, selectVisibleCoupon } from './visible-coupons.ts';

type Row = Record<string, unknown>;

export const couponStore = (manager: EntityManager): CouponStore => ({
  ofUser: (userId) => ofUsers(manager, [userId]),
  ofUsers: (userIds) => ofUsers(manager, userIds),
  visibleTo: (caller, couponId, levels) => visibleTo(manager, { caller, couponId, upline: levels?.upline ?? false }),
  totalsVisibleTo: (caller, couponId, { upline }) => totalsVisibleTo(manager, { caller, couponId, upline }),
  detailsVisibleTo: (caller, couponId, { upline }) => orUnavailable(detailsVisibleTo(manager, { caller, couponId, upline })),
  page: (filter, order, page) => pageOf(manager, filter, order, page),
  insert: (coupon) => insert(manager, coupon),
  anyMoney: async () => (await manager.query(firstWithMoney)).length > 0,
});

const columns = couponColumns.join(', ');

const firstWithMoney = `
  select id from coupons
  where unpaid_minor <> 0 or pending_order_minor <> 0 or pending_payout_minor <> 0 or paid_minor <> 0
  limit 1`;

const codeIsShared = `exists (
  select 1 from coupons as other
  where other.code_folded = coupons.code_folded and other.status = 'publish' and other.id <> coupons.id
)`;
const joinTotals = 'left join coupon_totals on coupon_totals.coupon_id = coupons.id';

async function ofUsers(manager: EntityManager, userIds: readonly number[]): Promise<Coupon[]> {
  const ids = userIds.filter(isId);
  if (ids.length === 0) return [];
  const { where, values } = new Conditions().isOneOf('user_id', ids);
  const rows: Row[] = await manager.query(`select ${columns} from coupons ${where} order by created_at desc, id desc`, values);
  return rows.map(toCoupon);
}

async function visibleTo(manager: EntityManager, reader: CouponReader): Promise<CouponWithTerms | null> {
  const row = await selectVisibleCoupon(manager, reader, { columns: {}, sql: '' });
  return row && toCouponWithTerms(row.coupons);
}

async function totalsVisibleTo(manager: EntityManager, reader: CouponReader): Promise<CouponTotals | null> {
  const columns = { coupon_totals: totalsColumns };
  const row = await selectVisibleCoupon(manager, reader, { columns, computed: { is_shared: codeIsShared }, sql: joinTotals });
  if (!row) return null;
  const coupon = toCouponWithTerms(row.coupons);
  return { coupon, snapshot: toSnapshot(coupon.id, row.coupon_totals), codeIsShared: Boolean(row.computed['is_shared']) };
}

async function detailsVisibleTo(manager: EntityManager, reader: CouponReader): Promise<CouponDetails | null> {
  const row = await selectVisibleCoupon(manager, reader, {
    columns: { coupon_totals: totalsColumns, users: userFields, payout_details: detailsColumns },
    sql: `${joinTotals}
      left join users on users.id = coupons.user_id
      left join payout_details on payout_details.user_id = coupons.user_id`,
  });
  if (!row) return null;
  const coupon = toCouponWithTerms(row.coupons);
  return {
    coupon,
    user: row.users['id'] === null ? null : toUser(row.users),
    snapshot: toSnapshot(coupon.id, row.coupon_totals),
    details: row.payout_details['user_id'] === null ? null : toDetails(row.payout_details),
  };
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

const toCouponWithTerms = (row: Row): CouponWithTerms => ({ ...toCoupon(row), terms: toTerms(row) });
