import type { EntityManager } from 'typeorm';
import type { Click } from '../../domain/clicks/click.ts';
import type { AttributingClick, Candidate, ClickStore, Conversion, UnledOrder } from '../../domain/clicks/store.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { jsonRows, jsonTable } from '../sql/json-parameters.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { returnedRows } from '../sql/returned-rows.ts';
import { type Counted, countClicks } from './click-counts.ts';
import { clickExtent, clickFigures } from './click-figures.ts';

export const clickStore = (manager: EntityManager): ClickStore => ({
  insert: (clicks) => insert(manager, clicks),
  attributing: (candidates) => attributing(manager, candidates),
  convert: (conversions) => convert(manager, conversions),
  ordersWithoutClick: (candidates) => ordersWithoutClick(manager, candidates),
  figures: (filter, ranges) => orUnavailable(clickFigures(manager, filter, ranges)),
  extent: (filter, range) => orUnavailable(clickExtent(manager, filter, range)),
});

const clickColumns = {
  coupon_id: 'bigint',
  day: 'text',
  clicked_at: 'bigint',
  visitor_hash: 'text',
  campaign: 'text',
  referrer: 'text',
  landing_page: 'text',
} as const;

const clickValues = (click: Click): unknown[] => [
  click.couponId,
  click.day,
  click.clickedAt,
  click.visitorHash,
  click.campaign,
  click.referrer,
  click.landingPage,
];

// In lower case: TypeORM's sqlite driver recognises statements by "INSERT " and "UPDATE " and keeps what they return to itself.
// `where true`, because SQLite would take "on conflict" for the condition of a join.
const insertUnlessThere = (manager: EntityManager): string => `
  insert into clicks (${Object.keys(clickColumns).join(', ')})
  select * from ${jsonTable(manager, clickColumns)} as given where true
  on conflict do nothing
  returning coupon_id, day`;

async function insert(manager: EntityManager, clicks: readonly Click[]): Promise<number> {
  if (clicks.length === 0) return 0;
  const rows: Counted[] = await manager.query(insertUnlessThere(manager), jsonRows(clicks.map(clickValues)));
  await countClicks(manager, 'clicks', rows);
  return rows.length;
}

const clicksOf = (manager: EntityManager): string => `
  select distinct clicks.id, clicks.visitor_hash, clicks.clicked_at, clicks.coupon_id, clicks.campaign
  from ${jsonTable(manager, candidateColumns)} as candidate
  join clicks on clicks.visitor_hash = candidate.visitor_hash and clicks.clicked_at between candidate.starts and candidate.ends
  order by clicks.clicked_at, clicks.id`;

const candidateColumns = { visitor_hash: 'text', starts: 'bigint', ends: 'bigint' } as const;
const candidateValues = ({ visitorHash, from, to }: Candidate): unknown[] => [visitorHash, from, to];

interface ClickRow {
  id: unknown;
  visitor_hash: string;
  clicked_at: unknown;
  coupon_id: unknown;
  campaign: string | null;
}

async function attributing(manager: EntityManager, candidates: readonly Candidate[]): Promise<AttributingClick[]> {
  if (candidates.length === 0) return [];
  const rows: ClickRow[] = await manager.query(clicksOf(manager), jsonRows(candidates.map(candidateValues)));
  return rows.map(toAttributing);
}

const toAttributing = (row: ClickRow): AttributingClick => ({
  visitorHash: row.visitor_hash,
  clickedAt: toSafeInteger(row.clicked_at),
  couponId: toSafeInteger(row.coupon_id),
  campaign: row.campaign,
  clickId: toSafeInteger(row.id),
});

const unledOrders = (manager: EntityManager): string => `
  select distinct orders.order_id, orders.visitor_hash, orders.placed_at
  from ${jsonTable(manager, candidateColumns)} as candidate
  join orders on orders.visitor_hash = candidate.visitor_hash and orders.placed_at between candidate.starts and candidate.ends
  where not exists (select 1 from clicks where clicks.converted_order_id = orders.order_id)
  order by orders.placed_at, orders.order_id`;

async function ordersWithoutClick(manager: EntityManager, candidates: readonly Candidate[]): Promise<UnledOrder[]> {
  if (candidates.length === 0) return [];
  const rows: { order_id: unknown; visitor_hash: string; placed_at: unknown }[] = await manager.query(
    unledOrders(manager),
    jsonRows(candidates.map(candidateValues)),
  );
  return rows.map((row) => ({
    orderId: toSafeInteger(row.order_id),
    visitorHash: row.visitor_hash,
    placedAt: toSafeInteger(row.placed_at),
  }));
}

const convertUnlessConverted = (manager: EntityManager): string => `
  update clicks set converted_order_id = given.order_id
  from ${jsonTable(manager, { click_id: 'bigint', order_id: 'bigint' })} as given
  where clicks.id = given.click_id and clicks.converted_order_id is null
  returning coupon_id, day`;

async function convert(manager: EntityManager, conversions: readonly Conversion[]): Promise<void> {
  // Of two orders that name one click the first has it; the database would choose either.
  const orderOf = new Map<number, number>();
  for (const { clickId, orderId } of conversions) if (!orderOf.has(clickId)) orderOf.set(clickId, orderId);
  if (orderOf.size === 0) return;
  const answer = await manager.query(convertUnlessConverted(manager), jsonRows([...orderOf]));
  await countClicks(manager, 'conversions', returnedRows<Counted>(answer));
}
