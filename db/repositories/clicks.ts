import type { EntityManager } from 'typeorm';
import type {
  AttributingClick,
  ClickFigures,
  ClickFilter,
  ClickStore,
  Conversion,
  OrderWithoutClick,
  VisitorWindow,
} from '../../domain/clicks/store.ts';
import type { DayRange } from '../../domain/dates.ts';
import { clickDays, clicks, clickTotals } from '../entities/clicks.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { orders } from '../entities/orders.ts';
import { Conditions } from '../sql/conditions.ts';
import { addExcluded, insertRows, jsonRows, jsonTable } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { projectionOf, queryReturning } from '../sql/projection.ts';

// By hand and set-based: clicks arrive in batches, and every order looks for the click that led to it (benchmark rows `ingest` and `import`).

export const clickStore = (manager: EntityManager): ClickStore => ({
  insert: async (arrived) => {
    const rows = await insertRows(manager, clicks, arrived, 'on conflict do nothing returning coupon_id, day');
    await countClicks(manager, 'clicks', rows);
    return rows.length;
  },
  attributing: (candidates) => attributing(manager, candidates),
  convert: (conversions) => convert(manager, conversions),
  ordersWithoutClick: (candidates) => ordersWithoutClick(manager, candidates),
  figures: (filter, ranges) => orUnavailable(clickFigures(manager, filter, ranges)),
  extent: (filter, range) => orUnavailable(clickExtent(manager, filter, range)),
});

const candidateColumns = { visitor_hash: 'text', starts: 'bigint', ends: 'bigint' } as const;
const candidateValues = ({ visitorHash, from, to }: VisitorWindow): unknown[] => [visitorHash, from, to];

const attributingClick = projectionOf(clicks, ['id', 'visitorHash', 'clickedAt', 'couponId', 'campaign']);

async function attributing(manager: EntityManager, candidates: readonly VisitorWindow[]): Promise<AttributingClick[]> {
  if (candidates.length === 0) return [];
  const rows: Record<string, unknown>[] = await manager.query(
    `select distinct ${attributingClick.list('clicks')}
     from ${jsonTable(manager, candidateColumns)} as candidate
     join clicks on clicks.visitor_hash = candidate.visitor_hash and clicks.clicked_at between candidate.starts and candidate.ends
     order by clicks.clicked_at, clicks.id`,
    jsonRows(candidates.map(candidateValues)),
  );
  return rows.map(attributingClick.toObject).map(({ id, ...click }) => ({ ...click, clickId: id }));
}

const unledOrder = projectionOf(orders, ['orderId', 'visitorHash', 'placedAt']);

async function ordersWithoutClick(manager: EntityManager, candidates: readonly VisitorWindow[]): Promise<OrderWithoutClick[]> {
  if (candidates.length === 0) return [];
  const rows: Record<string, unknown>[] = await manager.query(
    `select distinct ${unledOrder.list('orders')}
     from ${jsonTable(manager, candidateColumns)} as candidate
     join orders on orders.visitor_hash = candidate.visitor_hash and orders.placed_at between candidate.starts and candidate.ends
     where not exists (select 1 from clicks where clicks.converted_order_id = orders.order_id)
     order by orders.placed_at, orders.order_id`,
    jsonRows(candidates.map(candidateValues)),
  );
  return rows.map(unledOrder.toObject).map((order) => ({ ...order, visitorHash: String(order.visitorHash) }));
}

async function convert(manager: EntityManager, conversions: readonly Conversion[]): Promise<void> {
  // Where two orders name one click, the first gets it; the update alone would choose either.
  const orderOf = new Map<number, number>();
  for (const { clickId, orderId } of conversions) if (!orderOf.has(clickId)) orderOf.set(clickId, orderId);
  if (orderOf.size === 0) return;
  const rows = await queryReturning(
    manager,
    `update clicks set converted_order_id = given.order_id
     from ${jsonTable(manager, { click_id: 'bigint', order_id: 'bigint' })} as given
     where clicks.id = given.click_id and clicks.converted_order_id is null
     returning coupon_id, day`,
    jsonRows([...orderOf]),
  );
  await countClicks(manager, 'conversions', rows);
}

const counted = projectionOf(clickDays, ['clicks', 'conversions']);
const couponAndDay = projectionOf(clickDays, ['couponId', 'day']);

interface ClickCount {
  couponId: number;
  day: string;
  clicks: number;
  conversions: number;
}

/** Adds the clicks, or the conversions, of these coupons and days to the stored counts by day and in all. */
async function countClicks(
  manager: EntityManager,
  figure: 'clicks' | 'conversions',
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const one = { clicks: 0, conversions: 0, [figure]: 1 };
  const days = mergeCounts(rows.map((row) => ({ ...couponAndDay.toObject(row), ...one })));
  const totals = mergeCounts(days.map((count) => ({ ...count, day: '' })));
  const add = (table: string): string => `do update set ${addExcluded(table, counted)}`;
  await insertRows(manager, clickDays, days, `on conflict (coupon_id, day) ${add('click_days')}`);
  await insertRows(
    manager,
    clickTotals,
    totals.map(({ day: _day, ...count }) => count),
    `on conflict (coupon_id) ${add('click_totals')}`,
  );
}

/** One count for each coupon and day, always in the same order, so that two transactions which write the same coupons cannot deadlock. */
function mergeCounts(counts: readonly ClickCount[]): ClickCount[] {
  const sums = new Map<string, ClickCount>();
  for (const { couponId, day, clicks: more, conversions } of counts) {
    const key = `${couponId} ${day}`;
    const sum = sums.get(key) ?? { couponId, day, clicks: 0, conversions: 0 };
    sums.set(key, { couponId, day, clicks: sum.clicks + more, conversions: sum.conversions + conversions });
  }
  return [...sums.values()].sort((one, other) => one.couponId - other.couponId || (one.day < other.day ? -1 : 1));
}

function matching(conditions: Conditions, { couponId, campaign }: ClickFilter): Conditions {
  if (couponId !== null) conditions.and('coupon_id = ?', couponId);
  if (campaign !== null) conditions.and('campaign = ?', campaign);
  return conditions;
}

// Days compare as text, so these lie before and after every one.
const firstDay = '0000-01-01';
const lastDay = '9999-12-31';

// Each range is one index look-up. A subquery has one value, so its three figures are one text. With a join instead, SQLite reads all clicks
// of a coupon for each range.
const selectFigures = (manager: EntityManager, where: string): string => `
  with ranges as ${jsonTable(manager, { place: 'bigint', starts: 'text', ends: 'text' })}
  select place, (
    select coalesce(sum(clicks), 0) || ' ' || count(*) || ' ' || coalesce(sum(conversions), 0)
    from (select count(*) as clicks, count(converted_order_id) as conversions from clicks ${where} group by visitor_hash) as of_visitor
  ) as figures
  from ranges`;

async function clickFigures(manager: EntityManager, filter: ClickFilter, ranges: readonly DayRange[]): Promise<ClickFigures[]> {
  const conditions = new Conditions();
  conditions.place(JSON.stringify(ranges.map(({ from, to }, place) => [place, from ?? firstDay, to ?? lastDay])));
  matching(conditions, filter).and('day between ranges.starts and ranges.ends');
  const rows: { place: unknown; figures: string }[] = await manager.query(selectFigures(manager, conditions.where), conditions.values);
  const byPlace = new Map(rows.map(({ place, figures }) => [toSafeInteger(place), parseFigures(figures)]));
  return ranges.map((_, place) => byPlace.get(place) ?? parseFigures('0 0 0'));
}

function parseFigures(text: string): ClickFigures {
  const [clicks = 0, uniqueClicks = 0, conversions = 0] = text.split(' ').map(toSafeInteger);
  return { clicks, uniqueClicks, conversions };
}

async function clickExtent(manager: EntityManager, filter: ClickFilter, range: DayRange): Promise<{ from: string; to: string } | null> {
  const { where, values } = matching(new Conditions(), filter).within('day', range);
  // Two statements: for min and max in one, SQLite reads all rows; for one of them, it reads one end of the index.
  const [first]: { day: string | null }[] = await manager.query(`select min(day) as day from clicks ${where}`, values);
  const [last]: { day: string | null }[] = await manager.query(`select max(day) as day from clicks ${where}`, values);
  return first?.day && last?.day ? { from: first.day, to: last.day } : null;
}
