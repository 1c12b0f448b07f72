import { Between, type EntityManager } from 'typeorm';
import type {
  AttributingClick,
  ClickRepository,
  Conversion,
  OrderWithoutClick,
  StoredClick,
  VisitorWindow,
} from '../../domain/clicks/repository.ts';
import { clickDays, clicks, clickTotals } from '../entities/clicks.ts';
import { orders } from '../entities/orders.ts';
import { addExcluded, insertRows, joinsRow, jsonRows, jsonTable } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { projectionOf, queryReturning } from '../sql/projection.ts';
import { clickExtent, clickFigures } from './click-figures.ts';
import { type CountedClick, countConversions, countVisitors } from './visitors.ts';

// By hand and set-based: clicks arrive in batches, and every order looks for the click that led to it (benchmark rows `ingest` and `import`).

export const clickRepository = (manager: EntityManager): ClickRepository => ({
  insert: async (arrived) => {
    const rows = await insertRows(manager, clicks, arrived, `on conflict do nothing returning ${countedClick.list()}`);
    const added = rows.map(countedClick.toObject);
    await countClicks(manager, 'clicks', added);
    await countVisitors(manager, added);
    return added;
  },
  attributing: (candidates) => attributing(manager, candidates),
  latest: (window, limit) => latest(manager, window, limit),
  convert: (conversions) => convert(manager, conversions),
  ordersWithoutClick: (candidates) => ordersWithoutClick(manager, candidates),
  figures: (filter, ranges) => orUnavailable(clickFigures(manager, filter, ranges)),
  extent: (filter, range) => orUnavailable(clickExtent(manager, filter, range)),
});

const countedClick = projectionOf(clicks, ['couponId', 'day', 'clickedAt', 'visitorHash', 'campaign']);

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

async function latest(manager: EntityManager, { visitorHash, from, to }: VisitorWindow, limit: number): Promise<StoredClick[]> {
  const found = await manager.find(clicks, {
    select: { id: true, visitorHash: true, clickedAt: true, couponId: true, campaign: true, convertedOrderId: true },
    where: { visitorHash, clickedAt: Between(from, to) },
    order: { clickedAt: 'DESC', id: 'DESC' },
    take: limit,
  });
  return found.map(({ id, ...click }) => ({ ...click, clickId: id }));
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
     where ${joinsRow(manager, 'clicks.id', 'given.click_id')} and clicks.converted_order_id is null
     returning ${countedClick.list('clicks')}`,
    jsonRows([...orderOf]),
  );
  const converted = rows.map(countedClick.toObject);
  await countClicks(manager, 'conversions', converted);
  await countConversions(manager, converted);
}

const counted = projectionOf(clickDays, ['clicks', 'conversions']);

interface ClickCount {
  couponId: number;
  day: string;
  clicks: number;
  conversions: number;
}

/** Adds the clicks, or the conversions, of these coupons and days to the stored counts by day and in all. */
async function countClicks(manager: EntityManager, figure: 'clicks' | 'conversions', added: readonly CountedClick[]): Promise<void> {
  const one = { clicks: 0, conversions: 0, [figure]: 1 };
  const days = mergeCounts(added.map(({ couponId, day }) => ({ couponId, day, ...one })));
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
