import { type EntityManager, In, LessThan } from 'typeorm';
import { groupBy } from '../../domain/group-by.ts';
import type { CreditLinkRepository } from '../../domain/orders/credit-link.ts';
import type { StorePlatform } from '../../domain/store/connection.ts';
import { orderNumberOf, paymentIdOf, type StorePayment, type StorePaymentRepository } from '../../domain/store/payment.ts';
import { text, toSafeInteger } from '../entities/columns.ts';
import {
  creditLinks,
  storeCodes,
  storePaymentIds,
  storePayments,
  subscriptionPayments,
  waitingReferrals,
} from '../entities/store-payments.ts';
import { assignExcluded, insertRows, isAmong } from '../sql/insert.ts';
import { projectionOf, selectRows } from '../sql/projection.ts';

// By hand and set-based, like the states of orders: every event of a billing platform needs them.

const payment = projectionOf(storePayments);
const foundPayment = payment.plus({ foundBy: text('found_by') });
const externalId = projectionOf(storePayments, ['id', 'externalId']);
const code = projectionOf(storeCodes, ['externalId', 'code']);
const changedCode = projectionOf(storeCodes, ['code', 'occurredAt']);
const subscriptionStart = projectionOf(storePayments, ['subscription', 'amounts']);
const creditLink = projectionOf(creditLinks);
const subscriptionPayment = projectionOf(subscriptionPayments);

export const storePaymentRepository = (manager: EntityManager): StorePaymentRepository => ({
  byExternalIds: (platform, ids) => findPayments(manager, platform, ids),
  uncredited: (subscriptions, customerHashes, since) => findUncredited(manager, subscriptions, customerHashes, since),
  insert: (payments) => insertPayments(manager, payments),
  update: async (payments) => {
    // One by one: few events change a payment, and PostgreSQL does not take a generated id in an upsert.
    for (const { id, ...changed } of payments) await manager.update(storePayments, { id }, changed);
  },
  assignIds: async (platform, ids) => {
    const rows = ids.map(({ externalId, paymentId }) => ({ platform, externalId, paymentId }));
    await insertRows(manager, storePaymentIds, rows, 'on conflict (external_id, platform) do update set payment_id = excluded.payment_id');
  },
  moveIds: async (from, to) => void (await manager.update(storePaymentIds, { paymentId: from }, { paymentId: to })),
  externalIds: async (orderIds) => {
    const ids = orderIds.map(paymentIdOf).filter((id) => id > 0);
    if (ids.length === 0) return new Map();
    const sql = `select ${externalId.list()} from store_payments where id ${isAmong(manager, 'bigint')}`;
    const found = await selectRows(manager, externalId, sql, [JSON.stringify(ids)]);
    return new Map(found.map((row) => [orderNumberOf(row), row.externalId]));
  },
  codes: async (platform, ids) => {
    if (ids.length === 0) return new Map();
    const sql = `select ${code.list()} from store_codes where external_id ${isAmong(manager, 'text')} and platform = $2`;
    const found = await selectRows(manager, code, sql, [JSON.stringify(ids), platform]);
    return new Map(found.map((row) => [row.externalId, row.code]));
  },
  saveCodes: async (platform, codes) => {
    const rows = codes.map((code) => ({ platform, ...code }));
    const update = `do update set ${assignExcluded(changedCode)} where excluded.occurred_at >= store_codes.occurred_at`;
    await insertRows(manager, storeCodes, rows, `on conflict (platform, external_id) ${update}`);
  },
  addWaiting: async (referrals, since) => {
    if (referrals.length === 0) return;
    await manager.delete(waitingReferrals, { seenAt: LessThan(since) });
    await insertRows(manager, waitingReferrals, referrals);
  },
  takeWaiting: async (platform, codeIds) => {
    const where = { platform, codeId: In([...codeIds]) };
    const found = await manager.find(waitingReferrals, { where, order: { id: 'ASC' } });
    if (found.length > 0) await manager.delete(waitingReferrals, where);
    return found;
  },
});

async function findPayments(manager: EntityManager, platform: StorePlatform, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const sql = `select ${payment.list('store_payments')}, ids.external_id as found_by from store_payment_ids as ids
    join store_payments on store_payments.id = ids.payment_id
    where ids.external_id ${isAmong(manager, 'text')} and ids.platform = $2`;
  const rows = await selectRows(manager, foundPayment, sql, [JSON.stringify(ids), platform]);
  return rows.map(({ foundBy, ...payment }) => ({ payment, foundBy }));
}

async function findUncredited(
  manager: EntityManager,
  subscriptions: readonly string[],
  customerHashes: readonly string[],
  since: number,
): Promise<StorePayment[]> {
  const find = (column: string, values: readonly string[]): Promise<StorePayment[]> => {
    const sql = `select ${payment.list()} from store_payments
      where ${column} ${isAmong(manager, 'text')} and seen_at >= $2 and amounts is not null
      and not exists (select 1 from orders where orders.order_id = store_payments.id + ${orderNumberOf({ id: 0 })})`;
    return values.length === 0 ? Promise.resolve([]) : selectRows(manager, payment, sql, [JSON.stringify(values), since]);
  };
  const [ofSubscriptions, ofCustomers] = await Promise.all([find('subscription', subscriptions), find('customer_hash', customerHashes)]);
  return [...new Map([...ofSubscriptions, ...ofCustomers].map((payment) => [payment.id, payment])).values()];
}

async function insertPayments(manager: EntityManager, payments: readonly StorePayment[]): Promise<StorePayment[]> {
  const rows = payments.map(({ id: _assigned, ...row }) => row);
  const inserted = await insertRows(manager, storePayments, rows, 'returning id, external_id');
  const idOf = new Map(inserted.map((row) => [row['external_id'], toSafeInteger(row['id'])]));
  return payments.map((payment) => ({ ...payment, id: idOf.get(payment.externalId) as number }));
}

export const creditLinkRepository = (manager: EntityManager): CreditLinkRepository => ({
  byLinks: async (links) => {
    if (links.length === 0) return [];
    const sql = `select ${creditLink.list()} from credit_links where link ${isAmong(manager, 'text')}`;
    return selectRows(manager, creditLink, sql, [JSON.stringify(links)]);
  },
  subscriptionStarts: async (subscriptions) => {
    if (subscriptions.length === 0) return new Map();
    const sql = `select ${subscriptionStart.list()} from store_payments
      where subscription ${isAmong(manager, 'text')} and amounts is not null`;
    const paid = await selectRows(manager, subscriptionStart, sql, [JSON.stringify(subscriptions)]);
    const moments = groupBy(paid, ({ subscription }) => subscription ?? '');
    return new Map(
      [...moments].map(([subscription, rows]) => [subscription, Math.min(...rows.map(({ amounts }) => amounts?.placedAt ?? 0))]),
    );
  },
  save: async (links) =>
    void (await insertRows(manager, creditLinks, links, `on conflict (link) do update set ${assignExcluded(creditLink)}`)),
  addPayments: async (payments) => void (await insertRows(manager, subscriptionPayments, payments)),
  removePayment: async (orderId) => void (await manager.delete(subscriptionPayments, { orderId })),
  paymentsOf: async (orderIds) => {
    if (orderIds.length === 0) return [];
    const sql = `select ${subscriptionPayment.list()} from subscription_payments where order_id ${isAmong(manager, 'bigint')}`;
    return selectRows(manager, subscriptionPayment, sql, [JSON.stringify(orderIds)]);
  },
});
