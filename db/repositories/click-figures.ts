import type { EntityManager } from 'typeorm';
import type { ClickFigures, ClickFilter } from '../../domain/clicks/store.ts';
import type { DayRange } from '../../domain/range.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { jsonRows, jsonTable } from '../sql/json-parameters.ts';

// Days compare as text, so these lie before and after every one.
const firstDay = '0000-01-01';
const lastDay = '9999-12-31';

function narrow(conditions: Conditions, { couponId, campaign }: ClickFilter): Conditions {
  if (couponId !== null) conditions.and('coupon_id = ?', couponId);
  if (campaign !== null) conditions.and('campaign = ?', campaign);
  return conditions;
}

// Each range is looked up in the index by itself. A subquery gives one value, so its three come as one text; joining the ranges to the
// clicks instead, SQLite goes through all clicks of a coupon for each of them.
const figuresOf = (manager: EntityManager, where: string): string => `
  with asked as ${jsonTable(manager, { place: 'bigint', starts: 'text', ends: 'text' })}
  select place, (
    select coalesce(sum(clicks), 0) || ' ' || count(*) || ' ' || coalesce(sum(conversions), 0)
    from (select count(*) as clicks, count(converted_order_id) as conversions from clicks ${where} group by visitor_hash) as of_visitor
  ) as figures
  from asked`;

export async function clickFigures(manager: EntityManager, filter: ClickFilter, ranges: readonly DayRange[]): Promise<ClickFigures[]> {
  const conditions = new Conditions();
  const [asked] = jsonRows(ranges.map(({ from, to }, place) => [place, from ?? firstDay, to ?? lastDay]));
  conditions.place(asked);
  narrow(conditions, filter).and('day between asked.starts and asked.ends');
  const rows: { place: unknown; figures: string }[] = await manager.query(figuresOf(manager, conditions.where), conditions.values);
  const found = new Map(rows.map(({ place, figures }) => [toSafeInteger(place), toFigures(figures)]));
  return ranges.map((_, place) => found.get(place) ?? toFigures('0 0 0'));
}

function toFigures(text: string): ClickFigures {
  const [clicks, uniqueClicks, conversions] = text.split(' ');
  return { clicks: toSafeInteger(clicks), uniqueClicks: toSafeInteger(uniqueClicks), conversions: toSafeInteger(conversions) };
}

export async function clickExtent(
  manager: EntityManager,
  filter: ClickFilter,
  range: DayRange,
): Promise<{ from: string; to: string } | null> {
  const { where, values } = narrow(new Conditions(), filter).within('day', range);
  // Asked for both at once, SQLite would go through all of them; for one, it looks at the end of the index.
  const [first]: { day: string | null }[] = await manager.query(`select min(day) as day from clicks ${where}`, values);
  const [last]: { day: string | null }[] = await manager.query(`select max(day) as day from clicks ${where}`, values);
  return first?.day && last?.day ? { from: first.day, to: last.day } : null;
}
