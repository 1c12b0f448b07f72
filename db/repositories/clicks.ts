import type { EntityManager } from 'typeorm';
import type { Click } from '../../domain/clicks/click.ts';
import type { AttributingClick, Candidate, ClickStore } from '../../domain/clicks/store.ts';
import { wholeNumber } from '../columns.ts';
import { chunksOf, tuples } from '../tuples.ts';
import { type Counted, countClicks } from './click-counts.ts';
import { clickExtent, clickFigures } from './click-figures.ts';

export const clickStore = (manager: EntityManager): ClickStore => ({
  insert: (clicks) => insert(manager, clicks),
  attributing: (candidates) => attributing(manager, candidates),
  convert: (conversions) => convert(manager, conversions),
  figures: (filter, ranges) => clickFigures(manager, filter, ranges),
  extent: (filter, range) => clickExtent(manager, filter, range),
});

// In lower case: TypeORM's sqlite driver recognises statements by "INSERT " and "UPDATE " and keeps what they return to itself.
const insertUnlessThere = (rows: number): string => `
  insert into clicks (coupon_id, day, clicked_at, visitor_hash, campaign, referrer, landing_page)
  values ${tuples(rows, [null, null, null, null, null, null, null])}
  on conflict do nothing
  returning coupon_id, day`;

async function insert(manager: EntityManager, clicks: readonly Click[]): Promise<number> {
  let inserted = 0;
  for (const chunk of chunksOf(clicks)) {
    const values = chunk.flatMap((click) => [
      click.couponId,
      click.day,
      click.clickedAt,
      click.visitorHash,
      click.campaign,
      click.referrer,
      click.landingPage,
    ]);
    const rows: Counted[] = await manager.query(insertUnlessThere(chunk.length), values);
    await countClicks(manager, 'clicks', rows);
    inserted += rows.length;
  }
  return inserted;
}

const clicksOf = (candidates: number): string => `
  with candidate (visitor_hash, starts, ends) as (values ${tuples(candidates, ['text', 'bigint', 'bigint'])})
  select distinct clicks.id, clicks.visitor_hash, clicks.clicked_at, clicks.coupon_id, clicks.campaign
  from candidate
  join clicks on clicks.visitor_hash = candidate.visitor_hash and clicks.clicked_at between candidate.starts and candidate.ends
  order by clicks.clicked_at, clicks.id`;

interface ClickRow {
  id: unknown;
  visitor_hash: string;
  clicked_at: unknown;
  coupon_id: unknown;
  campaign: string | null;
}

async function attributing(manager: EntityManager, candidates: readonly Candidate[]): Promise<AttributingClick[]> {
  const found = new Map<number, AttributingClick>();
  for (const chunk of chunksOf(candidates)) {
    const values = chunk.flatMap(({ visitorHash, from, to }) => [visitorHash, from, to]);
    const rows: ClickRow[] = await manager.query(clicksOf(chunk.length), values);
    for (const row of rows) found.set(wholeNumber(row.id), toAttributing(row));
  }
  return [...found.values()];
}

const toAttributing = (row: ClickRow): AttributingClick => ({
  visitorHash: row.visitor_hash,
  clickedAt: wholeNumber(row.clicked_at),
  couponId: wholeNumber(row.coupon_id),
  campaign: row.campaign,
  clickId: wholeNumber(row.id),
});

const convertUnlessConverted = (conversions: number): string => `
  with conversion (click_id, order_id) as (values ${tuples(conversions, ['bigint', 'bigint'])})
  update clicks set converted_order_id = conversion.order_id from conversion
  where clicks.id = conversion.click_id and clicks.converted_order_id is null
  returning coupon_id, day`;

async function convert(manager: EntityManager, conversions: readonly { clickId: number; orderId: number }[]): Promise<void> {
  // Of two orders that name one click the first has it; the database would choose either.
  const orderOf = new Map<number, number>();
  for (const { clickId, orderId } of conversions) if (!orderOf.has(clickId)) orderOf.set(clickId, orderId);
  for (const chunk of chunksOf([...orderOf])) {
    const answer = await manager.query(convertUnlessConverted(chunk.length), chunk.flat());
    await countClicks(manager, 'conversions', rowsOf(answer));
  }
}

/** On PostgreSQL, TypeORM gives the rows of an update together with their number. */
const rowsOf = (answer: Counted[] | [Counted[], number]): Counted[] => (Array.isArray(answer[0]) ? answer[0] : (answer as Counted[]));
