import type { EntityManager } from 'typeorm';
import type { InvoiceFilter, InvoiceRepository, ListedInvoice } from '../../domain/invoices/invoice.ts';
import { callerIsAdmin } from '../../domain/users/user.ts';
import { bigint, isId, nullable, text, toSafeInteger } from '../entities/columns.ts';
import { invoices } from '../entities/payouts.ts';
import { Conditions } from '../sql/conditions.ts';
import { insertWithId } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { projectionOf, resultColumns, selectRows } from '../sql/projection.ts';

export const invoiceRepository = (manager: EntityManager): InvoiceRepository => ({
  insert: (invoice) => orUnavailable(insertWithId(manager, invoices, invoice, null)),
  byId: (id) => orUnavailable(findInvoice(manager, id, new Conditions())),
  visibleTo: (caller, id) => {
    const conditions = callerIsAdmin(caller) ? new Conditions() : new Conditions().and('invoices.user_id = ?', caller.user.id);
    return orUnavailable(findInvoice(manager, id, conditions));
  },
  list: (filter) => orUnavailable(listInvoices(manager, filter)),
  unusedOf: (userId) => orUnavailable(unusedOf(manager, userId)),
  nextFor: (couponId, userId) => orUnavailable(nextFor(manager, couponId, userId)),
});

const listed = projectionOf(invoices).plus({
  couponCode: text('coupon_code'),
  login: text('login'),
  payoutId: nullable(bigint('payout_id')),
});

/** The second condition is that of the index. */
const servedBy = 'payouts.invoice_id = invoices.id and payouts.invoice_id > 0';

const selectListed = `
  select ${projectionOf(invoices).list('invoices')}, coupons.code as coupon_code, users.login, payouts.id as payout_id from invoices
  join coupons on coupons.id = invoices.coupon_id join users on users.id = invoices.user_id left join payouts on ${servedBy}`;

async function findInvoice(manager: EntityManager, id: number, conditions: Conditions): Promise<ListedInvoice | null> {
  if (!isId(id)) return null;
  const { where, values } = conditions.and('invoices.id = ?', id);
  const [row] = await manager.query(`${selectListed} ${where}`, values);
  return row ? listed.toObject(row) : null;
}

function listInvoices(manager: EntityManager, { userId, couponId }: InvoiceFilter): Promise<ListedInvoice[]> {
  const conditions = new Conditions();
  if (userId !== undefined) conditions.and('invoices.user_id = ?', userId);
  if (couponId !== undefined) conditions.and('invoices.coupon_id = ?', couponId);
  return selectRows(manager, listed, `${selectListed} ${conditions.where} order by invoices.id desc`, conditions.values);
}

const isUnused = `not exists (select 1 from payouts where ${servedBy})`;

const sums = resultColumns({ count: bigint('count'), bytes: bigint('bytes') });

async function unusedOf(manager: EntityManager, userId: number): Promise<{ count: number; bytes: number }> {
  const sql = `select count(*) as count, coalesce(sum(size), 0) as bytes from invoices where user_id = $1 and ${isUnused}`;
  const [row] = await manager.query(sql, [userId]);
  return sums.toObject(row);
}

const selectNext = (couponId: string, userId: string): string => `
  select invoices.id from invoices where invoices.coupon_id = ${couponId} and invoices.user_id = ${userId} and ${isUnused}
  order by invoices.id desc limit 1`;

/** As a column of a select from `coupons`, which may join payouts under another name. Null if there is none. */
export const nextInvoiceOfCoupon = `(${selectNext('coupons.id', 'coupons.user_id')})`;

async function nextFor(manager: EntityManager, couponId: number, userId: number): Promise<number> {
  const [row]: { id: unknown }[] = await manager.query(selectNext('$1', '$2'), [couponId, userId]);
  return row ? toSafeInteger(row.id) : 0;
}
