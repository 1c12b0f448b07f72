import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import type { InvoiceFilter, InvoiceRepository, ListedInvoice } from '../../domain/invoices/invoice.ts';
import { callerIsAdmin } from '../../domain/users/user.ts';
import { type EntityRow, isId, toSafeInteger } from '../entities/columns.ts';
import { invoices } from '../entities/payouts.ts';
import { orUnavailable } from '../sql/missing-table.ts';

type InvoiceQuery = SelectQueryBuilder<EntityRow<typeof invoices>>;

export const invoiceRepository = (manager: EntityManager): InvoiceRepository => ({
  // A copy, because TypeORM writes the id into the object.
  insert: async (invoice) => toSafeInteger((await orUnavailable(manager.insert(invoices, { ...invoice }))).identifiers[0]?.['id']),
  byId: (id) => orUnavailable(findInvoice(manager, id)),
  visibleTo: (caller, id) => orUnavailable(findInvoice(manager, id, callerIsAdmin(caller) ? undefined : caller.user.id)),
  list: (filter) => orUnavailable(listInvoices(manager, filter)),
  unusedOf: (userId) => orUnavailable(unusedOf(manager, userId)),
  nextFor: (couponId, userId) => orUnavailable(nextFor(manager, couponId, userId)),
});

/** The second condition is that of the index. */
const servedBy = 'payouts.invoice_id = invoices.id and payouts.invoice_id > 0';

const selectListed = (manager: EntityManager): InvoiceQuery =>
  manager
    .createQueryBuilder(invoices, 'invoices')
    .innerJoin('coupons', 'coupons', 'coupons.id = invoices.couponId')
    .innerJoin('users', 'users', 'users.id = invoices.userId')
    .leftJoin('payouts', 'payouts', servedBy)
    .addSelect('coupons.code', 'coupon_code')
    .addSelect('users.login', 'login')
    .addSelect('payouts.id', 'payout_id');

async function readListed(query: InvoiceQuery): Promise<ListedInvoice[]> {
  const { entities, raw } = await query.getRawAndEntities<{ coupon_code: string; login: string; payout_id: unknown }>();
  return entities.flatMap((invoice, index) => {
    const row = raw[index];
    if (!row) return [];
    const { coupon_code: couponCode, login, payout_id: payoutId } = row;
    return { ...invoice, couponCode, login, payoutId: payoutId === null ? null : toSafeInteger(payoutId) };
  });
}

async function findInvoice(manager: EntityManager, id: number, userId?: number): Promise<ListedInvoice | null> {
  if (!isId(id)) return null;
  const query = selectListed(manager).where('invoices.id = :id', { id });
  if (userId !== undefined) query.andWhere('invoices.userId = :userId', { userId });
  return (await readListed(query))[0] ?? null;
}

function listInvoices(manager: EntityManager, { userId, couponId }: InvoiceFilter): Promise<ListedInvoice[]> {
  const query = selectListed(manager);
  if (userId !== undefined) query.andWhere('invoices.userId = :userId', { userId });
  if (couponId !== undefined) query.andWhere('invoices.couponId = :couponId', { couponId });
  return readListed(query.orderBy('invoices.id', 'DESC'));
}

const isUnused = `not exists (select 1 from payouts where ${servedBy})`;

const selectUnused = (manager: EntityManager, userId: number): InvoiceQuery =>
  manager.createQueryBuilder(invoices, 'invoices').where('invoices.userId = :userId', { userId }).andWhere(isUnused);

async function unusedOf(manager: EntityManager, userId: number): Promise<{ count: number; bytes: number }> {
  const sums = selectUnused(manager, userId).select('count(*)', 'count').addSelect('coalesce(sum(invoices.size), 0)', 'bytes');
  const row = await sums.getRawOne<{ count: unknown; bytes: unknown }>();
  return { count: toSafeInteger(row?.count), bytes: toSafeInteger(row?.bytes) };
}

async function nextFor(manager: EntityManager, couponId: number, userId: number): Promise<number> {
  const ofCoupon = selectUnused(manager, userId).andWhere('invoices.couponId = :couponId', { couponId });
  return (await ofCoupon.orderBy('invoices.id', 'DESC').limit(1).getOne())?.id ?? 0;
}

/** The same as a column of a select from `coupons`, which may join payouts under another name. Null if there is none. */
export const nextInvoiceOfCoupon = `(
  select invoices.id from invoices where invoices.coupon_id = coupons.id and invoices.user_id = coupons.user_id and ${isUnused}
  order by invoices.id desc limit 1)`;
