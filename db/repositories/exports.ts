import { type EntityManager, MoreThan } from 'typeorm';
import type { ExportedClick, ExportedCoupon, ExportedPayoutDetails, ExportedUser, ExportStore } from '../../domain/exports/store.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { type OrderRow, toOrder } from '../entities/order-columns.ts';
import { registrations } from '../entities/registrations.ts';
import { couponTermsStore } from './coupon-terms.ts';
import { toUserRecord, userRecordColumns } from './user-records.ts';

type Row = Record<string, unknown>;

/** Each piece goes by its table's own key, so that the last of millions costs what the first does. */
export const exportStore = (manager: EntityManager): ExportStore => ({
  users: async (after, limit) => (await piece(manager, selectUsers, after, limit)).map(toExportedUser),
  coupons: (after, limit) => coupons(manager, after, limit),
  orders: async (after, limit) => (await piece(manager, selectOrders, after, limit)).map((row) => toOrder(row as OrderRow)),
  clicks: async (after, limit) => (await piece(manager, selectClicks, after, limit)).map(toExportedClick),
  openRegistrations: (after, limit) =>
    manager.find(registrations, { where: { status: 'pending', id: MoreThan(after) }, order: { id: 'ASC' }, take: limit }),
  payoutDetails: async (after, limit) => (await piece(manager, selectPayoutDetails, after, limit)).map(toExportedDetails),
});

const piece = (manager: EntityManager, select: string, after: number, limit: number): Promise<Row[]> =>
  manager.query(`${select} limit ${limit}`, [after]);

const selectUsers = `
  select ${userRecordColumns}, (select login from users as parents where parents.id = users.parent_id) as parent_login
  from users where id > $1 order by id`;

const toExportedUser = (row: Row): ExportedUser => ({ ...toUserRecord(row), parentLogin: row['parent_login'] as string | null });

const selectCouponOwners = `
  select coupons.id, users.login from coupons left join users on users.id = coupons.user_id where coupons.id > $1 order by coupons.id`;

async function coupons(manager: EntityManager, after: number, limit: number): Promise<ExportedCoupon[]> {
  const rows = await piece(manager, selectCouponOwners, after, limit);
  const ownerOf = new Map(rows.map(({ id, login }) => [toSafeInteger(id), login as string | null]));
  const found = await couponTermsStore(manager).byIds([...ownerOf.keys()]);
  return found.map((coupon) => ({ ...coupon, ownerLogin: ownerOf.get(coupon.id) ?? null }));
}

const selectOrders = 'select * from orders where order_id > $1 order by order_id';

const selectClicks = `
  select id, coupon_id, day, clicked_at, visitor_hash, campaign, referrer, landing_page from clicks where id > $1 order by id`;

const toExportedClick = (row: Row): ExportedClick => ({
  id: toSafeInteger(row['id']),
  couponId: toSafeInteger(row['coupon_id']),
  day: String(row['day']),
  clickedAt: toSafeInteger(row['clicked_at']),
  visitorHash: String(row['visitor_hash']),
  campaign: row['campaign'] as string | null,
  referrer: row['referrer'] as string | null,
  landingPage: row['landing_page'] as string | null,
});

const selectPayoutDetails = `
  select user_id, method, method_type, users.login from payout_details join users on users.id = payout_details.user_id
  where user_id > $1 order by user_id`;

const toExportedDetails = (row: Row): ExportedPayoutDetails => ({
  userId: toSafeInteger(row['user_id']),
  login: String(row['login']),
  method: String(row['method']),
  methodType: row['method_type'] as ExportedPayoutDetails['methodType'],
});
