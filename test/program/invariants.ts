import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { systemCaller } from '../../cli/operator.ts';
import { readAffiliate } from '../../domain/affiliates/reading.ts';
import type { BalanceSources, Balances } from '../../domain/coupons/coupon.ts';
import { readCoupon } from '../../domain/coupons/reading.ts';
import type { Explanation } from '../../domain/explanation/explain.ts';
import { contributionOf } from '../../domain/figures/contribution.ts';
import { type FigureChange, mergeByDay, sumFigures } from '../../domain/figures/figures.ts';
import { inWords } from '../../domain/money.ts';
import type { Order } from '../../domain/orders/order.ts';
import { Leaderboard } from '../../domain/reports/leaderboard.ts';
import { buildReport, createReportCaches, type ReportCaches } from '../../domain/reports/report.ts';
import { listSentences, verifyLedger } from '../../domain/verification/verify.ts';
import { type WebhookEvent, webhookEvents } from '../../generated/events.ts';
import type { Shop } from './shop.ts';

const numbers = (rows: Record<string, unknown>[]): Record<string, number>[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])));

/** Checks what must hold for every database, whatever was recorded. */
export async function expectConsistent(shop: Shop): Promise<void> {
  const rows = await shop.observer.query<{ order_id: unknown }>('select order_id from orders');
  const orders = await shop.database.read(({ orders: store }) => store.byIds(rows.map(({ order_id }) => Number(order_id))));
  await expectConsistentLedger(shop);
  await expectPools(orders, shop);
  await expectBalanceSources(shop);
  await expectFigures(orders, shop);
  await expectLeaderboard(orders, shop);
  await expectEvents(orders, shop);
  await expectValidWebhookData(shop);
}

async function expectConsistentLedger({ database, observer }: Shop): Promise<void> {
  const verification = await database.read((db) => verifyLedger(db, { written: String }));
  expect(listSentences(verification)).to.deep.equal([]);
  const [sum] = await observer.query<{ sum: unknown }>('select coalesce(sum(amount_minor), 0) as sum from ledger');
  expect(Number(sum?.sum)).to.equal(0);
}

/** The pools have the commission of the orders, the shares and the adjustments. Payouts move it between pools, and do not change the sum. */
async function expectPools(orders: readonly Order[], { observer }: Shop): Promise<void> {
  const expected = new Map<number, { pending: number; unpaid: number }>();
  const at = (couponId: number) => {
    const found = expected.get(couponId) ?? { pending: 0, unpaid: 0 };
    expected.set(couponId, found);
    return found;
  };
  for (const { couponId, commission, commissionStatus } of orders) {
    if (commissionStatus === 'pending') at(couponId).pending += commission;
    if (commissionStatus === 'granted') at(couponId).unpaid += commission;
    if (commissionStatus === 'reversed') expect(commission).to.equal(0);
  }
  const shares = numbers(await observer.query('select coupon_id, amount_minor from order_shares'));
  const adjustments = numbers(await observer.query('select coupon_id, amount_minor from adjustments'));
  for (const { coupon_id, amount_minor } of [...shares, ...adjustments]) at(Number(coupon_id)).unpaid += Number(amount_minor);
  for (const coupon of numbers(
    await observer.query('select id, pending_order_minor, unpaid_minor + pending_payout_minor + paid_minor as granted from coupons'),
  ))
    expect({ pending: coupon['pending_order_minor'], unpaid: coupon['granted'] }, `coupon ${coupon['id']}`).to.deep.equal(
      at(Number(coupon['id'])),
    );
}

/** Of each database, so that what a sequence of writes leaves in them is seen. */
const reportCaches = new WeakMap<Shop['database'], ReportCaches>();
const allTime = { range: { from: null, to: null }, top: 1, refresh: false, withPayouts: false };

/** What shows as the sources of balances, of the report each as its own table says: together they are all balances. */
export async function expectBalanceSources({ database, observer }: Shop): Promise<void> {
  const caches = reportCaches.get(database) ?? createReportCaches();
  reportCaches.set(database, caches);
  const { balances, sources } = await database.read((db) => buildReport(db, allTime, caches, 0));
  const sum = async (sql: string): Promise<number> => Number((await observer.query<{ sum: unknown }>(sql))[0]?.sum ?? 0);
  expect(sources).to.deep.equal({
    referred: await sum(`select sum(commission_minor) as sum from orders where status in ('processing', 'on-hold', 'completed')`),
    multiLevel: await sum('select sum(amount_minor) as sum from order_shares'),
    awaitingPayment: await sum(`select sum(commission_minor) as sum from orders where status = 'pending'`),
    handedOver: await sum(`select sum(amount_minor) as sum from ledger where pool = 'handed_over'`),
    adjusted: await sum('select sum(amount_minor) as sum from adjustments'),
    forfeited: await sum(`select sum(amount_minor) as sum from ledger where reason = 'forfeit' and pool <> 'store'`),
  });
  expectParts(sources, balances, 'the report');
  const coupons = numbers(await observer.query('select * from coupons'));
  const users = numbers(await observer.query(`select id from users where had_coupon = 1 or id in (select user_id from coupons)`));
  await database.read(async (db) => {
    for (const { id = 0, unpaid_minor: unpaid = 0, pending_order_minor: pendingOrder = 0, ...rest } of coupons) {
      const { pending_payout_minor: pendingPayout = 0, paid_minor: paid = 0 } = rest;
      const coupon = await readCoupon(db, { caller: systemCaller, couponId: id, levels: { upline: false } }, true);
      expect(coupon.coupon.balances, `coupon ${id}`).to.deep.equal({ unpaid, pendingOrder, pendingPayout, paid });
      if (coupon.sources) expectParts(coupon.sources, coupon.coupon.balances, `coupon ${id}`);
    }
    for (const { id = 0 } of users) {
      const affiliate = await readAffiliate(db, systemCaller, id, { withSources: true });
      const own = await sum(`select sum(amount_minor) as sum from payouts where status = 'paid' and user_id = ${id}`);
      expect(affiliate.balances.paid, `affiliate ${id}`).to.equal(own);
      if (affiliate.sources) expectParts(affiliate.sources, affiliate.balances, `affiliate ${id}`);
    }
  });
}

export function expectParts({ handedOver, ...parts }: BalanceSources, balances: Balances, subject: string): void {
  const sum = (amounts: object): number => Object.values(amounts).reduce((total: number, amount: number) => total + amount, 0);
  expect(sum(parts) - handedOver, subject).to.equal(sum(balances));
}

async function expectFigures(orders: readonly Order[], { database, observer }: Shop): Promise<void> {
  const coupons = numbers(await observer.query('select id from coupons')).map(({ id }) => Number(id));
  const days = mergeByDay(orders.map(contributionOf));
  const allTime = { from: null, to: null };
  await database.read(async ({ figures }) => {
    const snapshots = await figures.snapshotsOf(coupons);
    for (const couponId of coupons) {
      const own = days.filter((change) => change.couponId === couponId).sort(byDay);
      expect(snapshots.get(couponId)).to.deep.include(sumFigures(own));
      const stored = await figures.byDay({ couponId }, allTime);
      expect(stored).to.deep.equal(own.map((change) => ({ day: change.day, ...sumFigures([change]) })));
    }
  });
}

/** Reused between calls, so that stale entries would be found. */
const leaderboards = new WeakMap<Shop['database'], Leaderboard>();

async function expectLeaderboard(orders: readonly Order[], shop: Shop): Promise<void> {
  const leaderboard = leaderboards.get(shop.database) ?? new Leaderboard();
  leaderboards.set(shop.database, leaderboard);
  const days = orders.map(({ day }) => day).sort();
  const ranges = [0, 0.5, 1].map((share) => ({ from: days[Math.floor((days.length - 1) * share)] ?? null, to: '9999-12-31' }));
  await shop.database.read(async ({ reports }) => {
    for (const range of ranges) {
      const counted = mergeByDay(orders.filter(({ day }) => range.from === null || day >= range.from).map(contributionOf));
      const { ordersCount, sales, discount, commission } = sumFigures(counted);
      expect(await reports.sales(range)).to.deep.equal({ ordersCount, sales, discount, commission });
      expect(await leaderboard.best(reports, range, 5)).to.deep.equal(await reports.best(range, 5));
    }
  });
}

const byDay = (one: FigureChange, other: FigureChange): number => (one.day < other.day ? -1 : 1);

/** One referral for each order, and commission events with the sum of all commission and adjustments. */
async function expectEvents(orders: readonly Order[], shop: Shop): Promise<void> {
  const referrals = (await shop.events('referral')).map(({ objectId }) => objectId);
  expect(referrals.sort((one, other) => one - other)).to.deep.equal(orders.map(({ orderId }) => orderId).sort((one, other) => one - other));
  const granted = orders
    .filter(({ commissionStatus }) => commissionStatus === 'granted')
    .reduce((sum, { commission }) => sum + commission, 0);
  const [adjusted] = numbers(await shop.observer.query('select coalesce(sum(amount_minor), 0) as sum from adjustments'));
  expect(await sumOfEvents(shop, 'commission_added', 'commission_removed')).to.equal(granted + Number(adjusted?.['sum']));
  const [shares] = numbers(await shop.observer.query('select coalesce(sum(amount_minor), 0) as sum from order_shares'));
  expect(await sumOfEvents(shop, 'mla_commission_added', 'mla_commission_removed')).to.equal(shares?.['sum']);
}

async function sumOfEvents(shop: Shop, added: string, removed: string): Promise<number> {
  const sum = async (kind: string): Promise<number> => {
    const events = await shop.events(kind);
    for (const { data } of events) expect(data?.['amount']).to.be.greaterThan(0);
    return events.reduce((total, { data }) => total + Math.round(Number(data?.['amount']) * 100), 0);
  };
  return (await sum(added)) - (await sum(removed));
}

const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const ajv = new Ajv2020({ strict: false, logger: false }).addSchema(contract, 'contract');

function dataSchemaOf(event: WebhookEvent): ValidateFunction {
  const { schema } = contract.webhooks[event].post.requestBody.content['application/json'];
  const { $ref: data } = schema.properties.data;
  return ajv.getSchema(`contract${data}`) as ValidateFunction;
}

/** The data of events follows the contract's webhook schemas. */
async function expectValidWebhookData(shop: Shop): Promise<void> {
  for (const { kind, type, data } of await shop.events()) {
    if (type === null) continue;
    const event = type as WebhookEvent;
    expect(webhookEvents[event].feedKind).to.equal(kind);
    const validate = dataSchemaOf(event);
    expect(validate(data), `${type} ${JSON.stringify(data)} ${ajv.errorsText(validate.errors)}`).to.equal(true);
  }
}

/** What the movements have put into the balances of a coupon. */
const moved = ({ movements }: Explanation, couponId: number): number =>
  movements
    .filter((movement) => movement.couponId === couponId)
    .reduce((sum, { from, to, amount }) => sum + (from === 'store' ? amount : 0) - (to === 'store' ? amount : 0), 0);

/** It recomputes what is stored, finds what was credited, and lists the movements that led to it. */
export function expectExplained(explanation: Explanation, currency: string): void {
  const { order: stored, recomputed, agrees, steps, attribution, shares } = explanation;
  const which = JSON.stringify(stored);
  expect([recomputed, agrees], which).to.deep.equal([stored.commission, true]);
  for (const { text, amount } of steps) expect(text, which).to.include(inWords(amount, currency));
  expect(
    attribution.candidates.filter(({ won }) => won).map(({ via, coupon }) => [via, coupon.party?.couponId]),
    which,
  ).to.deep.equal(
    stored.creditedVia === 'coupon' && stored.usedCouponId !== stored.couponId ? [] : [[stored.creditedVia, stored.couponId]],
  );
  expect(moved(explanation, stored.couponId), which).to.equal(stored.commission);
  for (const { share, agrees: shareAgrees } of shares)
    expect([shareAgrees, moved(explanation, share.couponId)], which).to.deep.equal([true, share.amount]);
}
