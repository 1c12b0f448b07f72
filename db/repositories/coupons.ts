import type { EntityManager } from 'typeorm';
import type {
  AffiliateBalances,
  BalanceSources,
  Coupon,
  CouponDetails,
  CouponTotals,
  CouponWithTerms,
  Terms,
} from '../../domain/coupons/coupon.ts';
import type { CouponFilter, CouponOrder, CouponRecordRepository, CouponRepository } from '../../domain/coupons/repository.ts';
import type { CouponTerms, CouponTermsRepository, NewCouponTerms } from '../../domain/coupons/terms.ts';
import type { Page, Paged } from '../../domain/page.ts';
import { type Caller, callerIsAdmin } from '../../domain/users/user.ts';
import { visitorRepeats } from '../entities/clicks.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { coupons } from '../entities/coupons.ts';
import { isForfeit, ledger } from '../entities/ledger.ts';
import { orders } from '../entities/orders.ts';
import { payouts } from '../entities/payouts.ts';
import { users } from '../entities/users.ts';
import { Conditions, containing, foldCase, isStorable } from '../sql/conditions.ts';
import { insertWithId, isAmong } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { compileJoin, findPage, type Projection, projectionOf, selectRows } from '../sql/projection.ts';
import { emptySnapshot, snapshotProjection } from './figures.ts';
import { nextInvoiceOfCoupon } from './invoices.ts';
import { detailsProjection } from './payout-details.ts';
import { userProjection } from './users.ts';

// By hand: one coupon (benchmark rows `coupon-unseen` and `stats-range`), the coupons of an affiliate (`me`), and the terms that the order
// ingest and the import look up for many orders at once (`ingest` and `import`).

export const couponRepository = (manager: EntityManager): CouponRepository => ({
  newestOf: (userIds, limit) => newestOf(manager, userIds.filter(isId), limit),
  balancesOf: (userIds, options) => orUnavailable(balancesOf(manager, userIds.filter(isId), options)),
  visibleTo: (caller, couponId, levels) => visibleTo(manager, { caller, couponId, upline: levels?.upline ?? false }),
  totalsVisibleTo: (caller, couponId, { upline }) => totalsVisibleTo(manager, { caller, couponId, upline }),
  detailsVisibleTo: (caller, couponId, { upline }, withSources) =>
    orUnavailable(detailsVisibleTo(manager, { caller, couponId, upline }, withSources)),
  page: (filter, order, page) => pageOfCoupons(manager, filter, order, page),
  anyMoney: () => anyMoney(manager),
});

const couponProjection = projectionOf(coupons, ['id', 'code', 'userId', 'status', 'createdAt', 'balances']);

const balances = projectionOf(coupons, ['balances']);
const ownAmounts = [...balances.columns, 'fixed_per_order_minor', 'fixed_per_product_minor'].map((column) => `coalesce(${column}, 0) <> 0`);
const hasAmount = `${ownAmounts.join(' or ')} or (discount_type <> 'percent' and discount_amount <> 0)`;

async function anyMoney(manager: EntityManager): Promise<boolean> {
  for (const entity of [orders, payouts, ledger]) if (await manager.exists<object>(entity)) return true;
  return manager.createQueryBuilder(coupons, 'coupon').where(hasAmount).getExists();
}

const newestFirst = 'order by created_at desc, id desc';

async function newestOf(manager: EntityManager, userIds: readonly number[], limit: number): Promise<Coupon[]> {
  if (userIds.length === 0) return [];
  const { where, values } = new Conditions().isOneOf('user_id', userIds);
  const list = couponProjection.list();
  const ranked = `select ${list}, row_number() over (partition by user_id ${newestFirst}) as place from coupons ${where}`;
  const sql =
    userIds.length === 1
      ? `select ${list} from coupons ${where} ${newestFirst} limit ${limit}`
      : `select ${list} from (${ranked}) as ranked where place <= ${limit} ${newestFirst}`;
  return selectRows(manager, couponProjection, sql, values);
}

/** For one coupon. The conditions about orders and the ledger are spelled out as their partial indexes have them. */
const sourceOf: Record<keyof BalanceSources, string> = {
  referred: '(select commission_minor from coupon_totals where coupon_id = coupons.id)',
  multiLevel: 'coupons.multi_level_minor',
  awaitingPayment: "(select sum(commission_minor) from orders where coupon_id = coupons.id and status = 'pending')",
  handedOver: 'coupons.handed_over_minor',
  adjusted: '(select sum(amount_minor) from adjustments where coupon_id = coupons.id)',
  forfeited: `(select sum(amount_minor) from ledger where coupon_id = coupons.id and ${isForfeit})`,
};

const readSources = (row: Record<string, unknown>): BalanceSources =>
  Object.fromEntries(Object.keys(sourceOf).map((name) => [name, toSafeInteger(row[name] ?? 0)])) as unknown as BalanceSources;

/** What the coupons of each user say beside what the user was paid; a row of each user, also of one with neither. */
async function balancesOf(
  manager: EntityManager,
  userIds: readonly number[],
  { withSources }: { withSources: boolean },
): Promise<Map<number, AffiliateBalances>> {
  if (userIds.length === 0) return new Map();
  const { where, values } = new Conditions().isOneOf('user_id', userIds);
  const sources = withSources ? Object.entries(sourceOf) : [];
  const names = [...balances.columns, 'own', ...sources.map(([name]) => `"${name}"`)];
  const sql = `
    select user_id, ${names.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(', ')} from (
      select user_id, ${[...balances.columns, '0 as own', ...sources.map(([name, source]) => `${source} as "${name}"`)].join(', ')}
      from coupons ${where}
      union all
      select user_id, ${names.map((name) => (name === 'own' ? 'amount_minor' : '0')).join(', ')} from (
        select scope_id as user_id, amount_minor from payout_days where scope = 'user' and status = 'paid'
        union all select id, 0 from users
      ) as paid ${where}
    ) as both_sides group by user_id`;
  const rows: Record<string, unknown>[] = await manager.query(sql, values);
  return new Map(
    rows.map((row) => [
      toSafeInteger(row['user_id']),
      { ofCoupons: balances.toObject(row).balances, paid: toSafeInteger(row['own']), sources: withSources ? readSources(row) : null },
    ]),
  );
}

const orderBy: Record<CouponOrder['by'], string> = {
  id: 'coupon.id',
  code: 'coupon.codeFolded',
  unpaid_commission: 'coupon.balances.unpaid',
  date_created: 'coupon.createdAt',
};

// Without the terms, which lists do not show.
const listed = couponProjection.sources.map(({ path }) => ['coupon', ...path].join('.'));

const isOfNamedUser = `coupon.userId in (select id from users where ${['login', 'email', 'display_name']
  .map((name) => `${name}_folded like :pattern escape '!'`)
  .join(' or ')})`;

async function pageOfCoupons(
  manager: EntityManager,
  { userId, search, searchesUsers, status }: CouponFilter,
  { by, direction }: CouponOrder,
  page: Page,
): Promise<Paged<Coupon>> {
  const isOfUser = userId !== undefined && userId !== null;
  if ((isOfUser && !isId(userId)) || !isStorable(search ?? '')) return { items: [], total: 0 };
  const query = manager.createQueryBuilder(coupons, 'coupon').select(listed);
  query.where(`coupon.userId is ${userId === null ? '' : 'not'} null and coupon.status = :status`, { status });
  if (isOfUser) query.andWhere('coupon.userId = :userId', { userId });
  if (search !== undefined) {
    const found = ["coupon.codeFolded like :pattern escape '!'", ...(searchesUsers ? [isOfNamedUser] : [])];
    query.andWhere(`(${found.join(' or ')})`, { pattern: containing(search) });
  }
  const sort = direction === 'asc' ? 'ASC' : 'DESC';
  return findPage(query.orderBy(orderBy[by], sort).addOrderBy('coupon.id', sort), page);
}

interface CouponReader {
  caller: Caller;
  couponId: number;
  /** Whether affiliates above the owner may read the coupon too. */
  upline: boolean;
}

const visibleProjection = projectionOf(coupons, ['id', 'code', 'userId', 'status', 'createdAt', 'balances', 'terms']);

/** The owner and all above. `union` drops rows seen before, so a cycle of parents ends. */
const uplineQuery = `
  with recursive upline (id) as (
    select user_id from coupons where id = $1
    union
    select users.parent_id from users join upline on upline.id = users.id
  )`;

/**
 * One statement reads a coupon with what is joined to it. Ownership is part of it, so that a foreign and a missing coupon take the same path.
 * Returns undefined where the caller may not see the coupon.
 */
export function compileVisible<Tables extends Record<string, Projection<unknown>>>(
  joined: Tables,
  joins = '',
  computed: Record<string, string> = {},
) {
  const compile = (condition: string, prefix = '') =>
    compileJoin({
      tables: { ...joined, coupons: visibleProjection },
      computed,
      with: prefix,
      from: `from coupons ${joins} where coupons.id = $1 ${condition}`,
    });
  const forAdmin = compile('');
  const forOwner = compile('and coupons.user_id = $2');
  const forUpline = compile('and (coupons.user_id = $2 or exists (select 1 from upline where upline.id = $2))', uplineQuery);
  return async (manager: EntityManager, { caller, couponId, upline }: CouponReader) => {
    if (!isId(couponId)) return undefined;
    const [row] = callerIsAdmin(caller)
      ? await forAdmin(manager, [couponId])
      : await (upline ? forUpline : forOwner)(manager, [couponId, caller.user.id]);
    return row;
  };
}

const selectVisible = compileVisible({});

async function visibleTo(manager: EntityManager, reader: CouponReader): Promise<CouponWithTerms | null> {
  return (await selectVisible(manager, reader))?.coupons ?? null;
}

const joinTotals = 'left join coupon_totals on coupon_totals.coupon_id = coupons.id';

const codeIsShared = `exists (
  select 1 from coupons as other
  where other.code_folded = coupons.code_folded and other.status = 'publish' and other.id <> coupons.id
)`;

const selectTotals = compileVisible({ coupon_totals: snapshotProjection }, joinTotals, { is_shared: codeIsShared });

async function totalsVisibleTo(manager: EntityManager, reader: CouponReader): Promise<CouponTotals | null> {
  const row = await selectTotals(manager, reader);
  if (!row?.coupons) return null;
  const snapshot = row.coupon_totals ?? emptySnapshot(row.coupons.id);
  return { coupon: row.coupons, snapshot, codeIsShared: Boolean(row.computed['is_shared']) };
}

const compileDetails = (computed: Record<string, string>) =>
  compileVisible(
    { coupon_totals: snapshotProjection, users: userProjection, payout_details: detailsProjection },
    `${joinTotals}
     left join users on users.id = coupons.user_id
     left join payout_details on payout_details.user_id = coupons.user_id`,
    { is_shared: codeIsShared, invoice_id: nextInvoiceOfCoupon, ...computed },
  );

const selectDetails = compileDetails({});
const selectDetailsWithSources = compileDetails(sourceOf);

async function detailsVisibleTo(manager: EntityManager, reader: CouponReader, withSources: boolean): Promise<CouponDetails | null> {
  const row = await (withSources ? selectDetailsWithSources : selectDetails)(manager, reader);
  if (!row?.coupons) return null;
  const snapshot = row.coupon_totals ?? emptySnapshot(row.coupons.id);
  const { is_shared: isShared, invoice_id: invoiceId } = row.computed;
  const facts = {
    hasInvoice: invoiceId !== null,
    codeIsShared: Boolean(isShared),
    sources: withSources ? readSources(row.computed) : null,
  };
  return { coupon: row.coupons, user: row.users, snapshot, details: row.payout_details, ...facts };
}

export const couponTermsRepository = (manager: EntityManager): CouponTermsRepository => ({
  byIds: (ids) => selectTerms(manager, 'bigint', ids.filter(isId), (isListed) => `id ${isListed} order by id`),
  publishedByCodes: (foldedCodes) =>
    selectTerms(
      manager,
      'text',
      foldedCodes.filter(isStorable),
      (isListed) => `status = 'publish' and code_folded ${isListed} order by id`,
    ),
  oldestPublishedOf: (userIds) =>
    selectTerms(manager, 'bigint', userIds.filter(isId), (isListed) => `id in (${oldestPublished(isListed)}) order by user_id`),
  insert: async (coupon, id) => {
    const row = { ...rowOf(coupon), userId: coupon.userId, codeFolded: foldCase(coupon.code) };
    return insertWithId(manager, coupons, row, id);
  },
  assign: (id, userId, handovers) => assign(manager, id, userId, handovers),
  forfeit: async (id, { handovers, forfeits }) => void (await manager.update(coupons, { id }, { handovers, forfeits: [...forfeits] })),
});

const termsProjection = projectionOf(coupons, [
  'id',
  'code',
  'codeFolded',
  'userId',
  'status',
  'createdAt',
  'handovers',
  'forfeits',
  'terms',
]);

async function selectTerms(
  manager: EntityManager,
  type: 'bigint' | 'text',
  values: readonly unknown[],
  matching: (isListed: string) => string,
): Promise<CouponTerms[]> {
  if (values.length === 0) return [];
  const sql = `select ${termsProjection.list()} from coupons where ${matching(isAmong(manager, type))}`;
  return (await selectRows(manager, termsProjection, sql, [JSON.stringify(values)])).map(flatTerms);
}

const flatTerms = ({ terms, ...coupon }: Omit<CouponTerms, keyof Terms> & { terms: Terms }): CouponTerms => ({ ...coupon, ...terms });

const oldestPublished = (isListed: string): string => `
  select id from (
    select id, row_number() over (partition by user_id order by created_at, id) as place from coupons
    where user_id ${isListed} and status = 'publish'
  ) as ranked where place = 1`;

async function assign(manager: EntityManager, id: number, userId: number | null, handovers: number): Promise<void> {
  const owner = '(select user_id from coupons where id = :id)';
  await manager.createQueryBuilder().update(users).set({ hadCoupon: true }).where(`id = ${owner}`, { id }).execute();
  // Of which coupons the erased clicks were is not known any more.
  await manager.createQueryBuilder().delete().from(visitorRepeats).where(`user_id = ${owner}`, { id }).execute();
  await manager.update(coupons, { id }, { userId, handovers });
}

const rowOf = ({ code, status, createdAt, ...coupon }: NewCouponTerms) => {
  const { percentThousandths, fixedPerOrder, fixedPerProduct, discountType, discountAmount } = coupon;
  return { code, status, createdAt, terms: { percentThousandths, fixedPerOrder, fixedPerProduct, discountType, discountAmount } };
};

export const couponRecordRepository = (manager: EntityManager): CouponRecordRepository => ({
  byCode: async (foldedCode) =>
    isStorable(foldedCode) ? selectTerms(manager, 'text', [foldedCode], (isListed) => `code_folded ${isListed} order by id`) : [],
  // The code is written too: its case may have changed, which is no other code.
  change: async ({ id, codeFolded: _codeFolded, handovers: _handovers, forfeits: _forfeits, ...coupon }) =>
    void (await manager.update(coupons, { id }, rowOf(coupon))),
});
