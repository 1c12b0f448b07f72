import type { EntityManager } from 'typeorm';
import type { Coupon } from '../../domain/coupons/coupon.ts';
import { type DayRange, isOpen } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import {
  type NamedPayout,
  type NewPayout,
  openStatuses,
  type Payout,
  type PayoutStatus,
  type PublicStatus,
  publicStatus,
} from '../../domain/payouts/payout.ts';
import type {
  PayableFilter,
  PayoutDoubts,
  PayoutFigures,
  PayoutFilter,
  PayoutMethod,
  PayoutOrder,
  PayoutRepository,
  RequestableCoupon,
} from '../../domain/payouts/repository.ts';
import { type Caller, callerIsAdmin } from '../../domain/users/user.ts';
import { isUniqueViolation } from '../engine/database-error.ts';
import { advisoryLocks } from '../engine/dialect.ts';
import { isId, text, toSafeInteger } from '../entities/columns.ts';
import { coupons } from '../entities/coupons.ts';
import { payouts } from '../entities/payouts.ts';
import { Conditions } from '../sql/conditions.ts';
import { insertIfAbsent } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { cheapOffset, locateDay } from '../sql/page-locator.ts';
import { findPage, isPostgres, projectionOf, queryReturning, selectRows } from '../sql/projection.ts';
import { compileVisible } from './coupons.ts';
import { nextInvoiceOfCoupon } from './invoices.ts';
import { findFirst } from './ledger-checks.ts';
import { countPayout, countsWithin, selectWrongCounts, sumCounts, wrongCount } from './payout-counts.ts';
import { detailsProjection } from './payout-details.ts';
import { userProjection } from './users.ts';

// By hand, for the benchmark rows `request-payout` and `report-range`: prepared statements with joins, and counts that are stored beside
// the payouts in the same transaction, because counting them takes longer the more there are.

export const payoutRepository = (manager: EntityManager): PayoutRepository => ({
  byId: (id) => orUnavailable(byId(manager, id)),
  visibleTo: (caller, id) => orUnavailable(visibleTo(manager, caller, id)),
  page: (filter, order, page) => orUnavailable(pageOfPayouts(manager, filter, order, page)),
  requestableBy: (caller, couponId) => orUnavailable(requestableBy(manager, caller, couponId)),
  payable: (filter, limit) => orUnavailable(payable(manager, filter, limit)),
  doubtsAbout: (couponIds) => orUnavailable(doubtsAbout(manager, couponIds)),
  openOf: (couponId) => orUnavailable(openOf(manager, couponId)),
  processing: () => orUnavailable(processing(manager)),
  claim: (couponId) => lock(manager, claimCoupon, couponId),
  insert: (payout) => orUnavailable(insert(manager, payout)),
  move: (before, after) => orUnavailable(move(manager, before, after)),
  setPendingMethod: (userId, method) => orUnavailable(setPendingMethod(manager, userId, method)),
  figures: (range) => orUnavailable(payoutFigures(manager, range)),
  wrongCounts: (limit) => findFirst(manager, selectWrongCounts, 'scope, scope_id, day, status', limit, wrongCount.toObject),
});

const payoutProjection = projectionOf(payouts);
export const namedPayout = payoutProjection.plus({
  couponCode: text('coupon_code'),
  displayName: text('display_name'),
  email: text('email'),
});

/** Payouts with the names of their coupon and payee, and further columns. */
export const namedPayoutSelect = (more = ''): string => `
  select ${payoutProjection.list('payouts')}, coupons.code as coupon_code, users.display_name, users.email${more} from payouts
  join coupons on coupons.id = payouts.coupon_id join users on users.id = payouts.user_id`;

const selectNamed = namedPayoutSelect();

async function findPayout(manager: EntityManager, { where, values }: Conditions, id: number): Promise<NamedPayout | null> {
  if (!isId(id)) return null;
  const [row] = await manager.query(`${selectNamed} ${where}`, values);
  return row ? namedPayout.toObject(row) : null;
}

const byId = (manager: EntityManager, id: number): Promise<NamedPayout | null> =>
  findPayout(manager, new Conditions().and('payouts.id = ?', id), id);

function visibleTo(manager: EntityManager, caller: Caller, id: number): Promise<NamedPayout | null> {
  const conditions = new Conditions().and('payouts.id = ?', id);
  return findPayout(manager, callerIsAdmin(caller) ? conditions : conditions.and('payouts.user_id = ?', caller.user.id), id);
}

const isOpenPayout = `payouts.status in (${openStatuses.map((status) => `'${status}'`).join(', ')})`;

const selectRequestable = compileVisible(
  { users: userProjection, payout_details: detailsProjection, payouts: payoutProjection },
  `left join users on users.id = coupons.user_id
   left join payout_details on payout_details.user_id = coupons.user_id
   left join payouts on payouts.coupon_id = coupons.id and ${isOpenPayout}
   left join users as payees on payees.id = payouts.user_id`,
  {
    display_name: 'payees.display_name',
    email: 'payees.email',
    invoice_id: `coalesce(${nextInvoiceOfCoupon}, 0)`,
  },
);

async function requestableBy(manager: EntityManager, caller: Caller, couponId: number): Promise<RequestableCoupon | null> {
  const row = await selectRequestable(manager, { caller, couponId, upline: false });
  if (!row?.coupons) return null;
  const { coupons: coupon, users: owner, payout_details: details, payouts: open, computed } = row;
  const names = { couponCode: coupon.code, displayName: String(computed['display_name']), email: String(computed['email']) };
  return { coupon, owner, details, open: open && { ...open, ...names }, invoiceId: toSafeInteger(computed['invoice_id']) };
}

function payable(
  manager: EntityManager,
  { minAmount, methodType, couponIds, after }: PayableFilter,
  limit: number,
): Promise<Paged<Coupon>> {
  const least = Math.max(1, minAmount ?? 1);
  const query = manager
    .createQueryBuilder(coupons, 'coupon')
    .where('coupon.balances.unpaid >= :least and coupon.id > :after', { least, after });
  if (couponIds !== null) query.andWhere('coupon.id in (:...couponIds)', { couponIds });
  if (methodType !== null)
    query.andWhere('coupon.userId in (select user_id from payout_details where method_type = :methodType)', { methodType });
  return findPage(query.orderBy('coupon.id'), { page: 1, perPage: limit });
}

async function doubtsAbout(manager: EntityManager, couponIds: readonly number[]): Promise<PayoutDoubts[]> {
  if (couponIds.length === 0) return [];
  const rows = await manager
    .createQueryBuilder(coupons, 'coupon')
    .select('coupon.id', 'coupon_id')
    .addSelect('(select sum(own.unpaid_minor) from coupons own where own.user_id = coupon.user_id)', 'unpaid')
    .addSelect(`(${selectLastIfFailed})`, 'failed_id')
    .addSelect('(select id from users where users.id = coupon.user_id and disabled_at is not null)', 'disabled_id')
    .where('coupon.id in (:...couponIds)', { couponIds })
    .getRawMany<{ coupon_id: string; unpaid: string | null; failed_id: string | null; disabled_id: string | null }>();
  return rows.map(({ coupon_id, unpaid, failed_id, disabled_id }) => ({
    couponId: Number(coupon_id),
    unpaidOfPayee: Number(unpaid ?? 0),
    failedPayoutId: failed_id === null ? null : Number(failed_id),
    disabledPayeeId: disabled_id === null ? null : Number(disabled_id),
  }));
}

const selectLastIfFailed = `select case when payouts.status = 'failed' then payouts.id end from payouts
  where payouts.coupon_id = coupon.id order by payouts.day desc, payouts.requested_at desc, payouts.id desc limit 1`;

const openOf = (manager: EntityManager, couponId: number): Promise<NamedPayout | null> =>
  findPayout(manager, new Conditions().and('payouts.coupon_id = ?', couponId).and(isOpenPayout), couponId);

const processing = (manager: EntityManager): Promise<NamedPayout[]> =>
  selectRows(manager, namedPayout, `${selectNamed} where payouts.status = 'processing' order by payouts.day, payouts.id`, []);

// On PostgreSQL a request is decided at the isolation level read committed: serializable requests for different coupons fail each other,
// because they read and write the same pages of indexes. So whatever changes a coupon's payouts locks the coupon first (decision 24).

const lockCoupons = (condition: string): string => `select id from coupons where ${condition} order by id for update`;
const isClaimed = `pg_try_advisory_xact_lock(${advisoryLocks.payoutRequests}, hashint8($1))`;
const claimCoupon = lockCoupons(`id = $1 and ${isClaimed}`);
const lockCoupon = lockCoupons('id = $1');
// An affiliate may have thousands.
const lockCouponsOfUser = `select count(*) from (${lockCoupons('user_id = $1')}) as locked`;

/** SQLite has one writer at a time. */
const lock = async (manager: EntityManager, statement: string, id: number): Promise<boolean> =>
  !isPostgres(manager) || (await manager.query(statement, [id])).length > 0;

async function insert(manager: EntityManager, payout: NewPayout): Promise<number | null> {
  const [id] = await Promise.all([insertIfAbsent(manager, payouts, payout), countPayout(manager, null, payout)]);
  return id;
}

// With the moment of payment, because a payout may have been reopened and paid again on another day since it was read.
const updateIfUnchanged = `
  update payouts set status = $1, transaction_id = $2, paid_day = $3, paid_at = $4, method = $5, method_type = $6, has_details = $7,
    invoice_id = $8
  where id = $9 and status = $10 and coalesce(paid_at, 0) = $11
  returning id`;

async function move(manager: EntityManager, before: Payout, after: Payout): Promise<boolean> {
  const { status, transactionId, paidDay, paidAt, method, methodType, hasDetails, invoiceId } = after;
  const changed = [status, transactionId, paidDay, paidAt, method, methodType, hasDetails ? 1 : 0, invoiceId];
  const values = [...changed, before.id, before.status, before.paidAt ?? 0];
  const locking = lock(manager, lockCoupon, before.couponId);
  const updating = queryReturning(manager, updateIfUnchanged, values).catch((error: unknown) => {
    // Another request for the coupon was opened meanwhile.
    throw isUniqueViolation(error) ? new ApiError('svc_api_conflict') : error;
  });
  const [updated] = await Promise.all([updating, countPayout(manager, before, after), locking]);
  return updated.length > 0;
}

/** Locks the coupons first: a request that is being decided has read the former details. */
async function setPendingMethod(manager: EntityManager, userId: number, { method, methodType, hasDetails }: PayoutMethod): Promise<void> {
  const locking = lock(manager, lockCouponsOfUser, userId);
  await Promise.all([locking, manager.update(payouts, { userId, status: 'pending' }, { method, methodType, hasDetails })]);
}

const always: DayRange = { from: null, to: null };

async function payoutFigures(manager: EntityManager, range: DayRange): Promise<PayoutFigures> {
  const [open, paid] = await Promise.all([
    sumCounts(manager, countsWithin('all', null, always).isOneOf('status', ['pending', 'created'])),
    // Without a range it is the same by the day of the request and by the day of payment.
    sumCounts(manager, countsWithin(isOpen(range) ? 'all' : 'paid', null, range, 'paid')),
  ]);
  return { pendingCount: open.count, pendingAmount: open.amount, paidCount: paid.count, paidAmount: paid.amount };
}

async function pageOfPayouts(manager: EntityManager, filter: PayoutFilter, order: PayoutOrder, page: Page): Promise<Paged<NamedPayout>> {
  const { userId, couponId } = filter;
  if ([userId, couponId].some((id) => id !== undefined && !isId(id))) return { items: [], total: 0 };
  const rows = ({ range, offset }: { range: DayRange; offset: number }): Promise<NamedPayout[]> => {
    const { where, values } = matching({ ...filter, range });
    // The page is found by an index alone; only its own rows are joined.
    const found = `select id from payouts ${where} ${sorted(order, '')} limit ${page.perPage} offset ${offset}`;
    return selectRows(manager, namedPayout, `${selectNamed} where payouts.id in (${found}) ${sorted(order, 'payouts.')}`, values);
  };
  if (page.page === 1) {
    const [total, items] = await Promise.all([countPayouts(manager, filter), rows({ range: filter.range, offset: 0 })]);
    return { items, total };
  }
  const total = await countPayouts(manager, filter);
  if (isPastTheEnd(page, total)) return { items: [], total };
  return { items: await rows(await locatePage(manager, filter, order, { offset: offsetOf(page), total })), total };
}

const statuses: readonly PayoutStatus[] = ['pending', 'created', 'processing', 'paid', 'cancel', 'failed'];

/** `created` also finds processing, `cancel` also failed. */
const storedStatuses = (status: PublicStatus): PayoutStatus[] => statuses.filter((stored) => publicStatus(stored) === status);

function matching({ userId, couponId, status, range }: PayoutFilter): Conditions {
  const conditions = new Conditions().within('day', range);
  if (userId !== undefined) conditions.and('user_id = ?', userId);
  if (couponId !== undefined) conditions.and('coupon_id = ?', couponId);
  return status === undefined ? conditions : conditions.isOneOf('status', storedStatuses(status));
}

const orderColumns: Record<PayoutOrder['by'], readonly string[]> = {
  id: ['id'],
  date: ['day', 'requested_at', 'id'],
  date_paid: ['paid_at', 'id'],
  amount: ['amount_minor', 'id'],
};

function sorted({ by, direction }: PayoutOrder, table: string): string {
  const columns = orderColumns[by].map((column) => `${table}${column} ${direction}`);
  // Unpaid ones are last in both directions; each engine would sort nulls its own way.
  return `order by ${by === 'date_paid' ? `${table}paid_at is null, ` : ''}${columns.join(', ')}`;
}

/** The stored counts of such payouts; null where none are stored: of a user's payouts for one coupon, which are few. */
function storedCounts({ userId, couponId, status, range }: PayoutFilter): Conditions | null {
  if (userId !== undefined && couponId !== undefined) return null;
  if (userId !== undefined) return countsWithin('user', userId, range, status);
  if (couponId !== undefined) return countsWithin('coupon', couponId, range, status);
  return countsWithin('all', null, range, status);
}

async function countPayouts(manager: EntityManager, filter: PayoutFilter): Promise<number> {
  const stored = storedCounts(filter);
  if (stored) return (await sumCounts(manager, stored)).count;
  const { where, values } = matching(filter);
  const [row]: { total: unknown }[] = await manager.query(`select count(*) as total from payouts ${where}`, values);
  return toSafeInteger(row?.total);
}

/** The range and offset within it at which a page begins. */
async function locatePage(
  manager: EntityManager,
  filter: PayoutFilter,
  { by, direction }: PayoutOrder,
  { offset, total }: { offset: number; total: number },
): Promise<{ range: DayRange; offset: number }> {
  const stored = by === 'date' && offset >= cheapOffset ? storedCounts(filter) : null;
  if (!stored) return { range: filter.range, offset };
  const select = `select day, sum(count) as own from payout_days ${stored.where} group by day`;
  const found = await locateDay(manager, { select, values: stored.values }, { offset, total, direction });
  if (!found) return { range: filter.range, offset };
  const end = direction === 'desc' ? { to: found.day } : { from: found.day };
  return { range: { ...filter.range, ...end }, offset: offset - found.before };
}
