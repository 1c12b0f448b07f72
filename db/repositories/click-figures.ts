import type { EntityManager } from 'typeorm';
import type { ClickFigures, ClickFilter } from '../../domain/clicks/store.ts';
import type { DayRange } from '../../domain/range.ts';
import { wholeNumber } from '../columns.ts';
import { chunksOf, tuples } from '../tuples.ts';

// Days compare as text, so these lie before and after every one.
const firstDay = '0000-01-01';
const lastDay = '9999-12-31';

/** A filter as SQL, its values numbered after those that come before them in the statement. */
function conditionsOf({ couponId, campaign }: ClickFilter, valuesBefore: number): { sql: string; values: unknown[] } {
  const conditions: [string, unknown][] = [];
  if (couponId !== null) conditions.push(['clicks.coupon_id', couponId]);
  if (campaign !== null) conditions.push(['clicks.campaign', campaign]);
  const sql = conditions.map(([column], index) => ` and ${column} = $${valuesBefore + index + 1}`).join('');
  return { sql, values: conditions.map(([, value]) => value) };
}

// visitor_hash is never null where there is a click: counting it counts clicks, from the index alone.
const figuresOf = (ranges: string, conditions: string): string => `
  with range (place, starts, ends) as (values ${ranges})
  select range.place, count(clicks.visitor_hash) as clicks, count(distinct clicks.visitor_hash) as unique_clicks,
    count(clicks.converted_order_id) as conversions
  from range join clicks on clicks.day between range.starts and range.ends${conditions}
  group by range.place`;

interface FigureRow {
  place: unknown;
  clicks: unknown;
  unique_clicks: unknown;
  conversions: unknown;
}

export async function clickFigures(manager: EntityManager, filter: ClickFilter, ranges: readonly DayRange[]): Promise<ClickFigures[]> {
  const found: ClickFigures[] = ranges.map(() => ({ clicks: 0, uniqueClicks: 0, conversions: 0 }));
  const places = ranges.map(({ from, to }, place): [number, string, string] => [place, from ?? firstDay, to ?? lastDay]);
  for (const chunk of chunksOf(places)) {
    const { sql, values } = conditionsOf(filter, chunk.length * 3);
    const statement = figuresOf(tuples(chunk.length, ['bigint', 'text', 'text']), sql);
    const rows: FigureRow[] = await manager.query(statement, [...chunk.flat(), ...values]);
    for (const row of rows) found[wholeNumber(row.place)] = toFigures(row);
  }
  return found;
}

const toFigures = ({ clicks, unique_clicks, conversions }: FigureRow): ClickFigures => ({
  clicks: wholeNumber(clicks),
  uniqueClicks: wholeNumber(unique_clicks),
  conversions: wholeNumber(conversions),
});

export async function clickExtent(
  manager: EntityManager,
  filter: ClickFilter,
  range: DayRange,
): Promise<{ from: string; to: string } | null> {
  const { sql, values } = conditionsOf(filter, 2);
  const statement = `select min(clicks.day) as starts, max(clicks.day) as ends from clicks where clicks.day between $1 and $2${sql}`;
  const [found]: { starts: string | null; ends: string | null }[] = await manager.query(statement, [
    range.from ?? firstDay,
    range.to ?? lastDay,
    ...values,
  ]);
  return found && found.starts !== null && found.ends !== null ? { from: found.starts, to: found.ends } : null;
}
