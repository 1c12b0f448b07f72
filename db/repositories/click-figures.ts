import type { EntityManager } from 'typeorm';
import type { ClickFigures, ClickFilter, UserClicks } from '../../domain/clicks/repository.ts';
import { type DayRange, dayAfter, startOfDay } from '../../domain/dates.ts';
import { type ReturnGrain, visitorCounts } from '../entities/clicks.ts';
import { type EntityRow, toSafeInteger } from '../entities/columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { jsonTable } from '../sql/insert.ts';
import { projectionOf, selectRows } from '../sql/projection.ts';

// By hand, for the benchmark row `clicks-range`. The distinct visitors of a range are the sum of each day's visitors, less the returns within the range. A return is a visit together with
// the visitor's next one on a later day. visitors.ts maintains the tables, docs/decisions/0021 explains them.

/** The first and the last day with a click; null without any. */
export async function clickExtent(
  manager: EntityManager,
  filter: ClickFilter,
  range: DayRange,
): Promise<{ from: string; to: string } | null> {
  const { where, values } = matching(filter).within('day', range);
  // Two statements: for min and max in one, SQLite reads all rows; for one of them, it reads one end of the index.
  const [first]: { day: string | null }[] = await manager.query(`select min(day) as day from visitor_counts ${where}`, values);
  const [last]: { day: string | null }[] = await manager.query(`select max(day) as day from visitor_counts ${where}`, values);
  return first?.day && last?.day ? { from: first.day, to: last.day } : null;
}

/** One result for each range. Reads each day of them once, and of the returns what `listSpans` lists. */
export async function clickFigures(manager: EntityManager, filter: ClickFilter, ranges: readonly DayRange[]): Promise<ClickFigures[]> {
  const days = await readDays(manager, filter, ranges);
  const daysOf = ranges.map(({ from, to }) => {
    const start = from === null ? 0 : countWhile(days, ({ day }) => day < from);
    return days.slice(start, to === null ? days.length : countWhile(days, ({ day }) => day <= to));
  });
  const visitors = await countVisitors(manager, filter, ranges, daysOf);
  const repeated = 'userId' in filter ? await countRepeatedVisitors(manager, filter, ranges) : new Map<number, number>();
  return daysOf.map((own, place) => ({
    clicks: sum(own.map(({ clicks }) => clicks)),
    uniqueClicks: (visitors[place] ?? 0) - (repeated.get(place) ?? 0),
    conversions: sum(own.map(({ conversions }) => conversions)),
  }));
}

/** The distinct visitors of each range, of the coupons of a user by coupon. */
async function countVisitors(
  manager: EntityManager,
  filter: ClickFilter,
  ranges: readonly DayRange[],
  daysOf: readonly DayCounts[][],
): Promise<number[]> {
  const spans = daysOf.flatMap((own, place) =>
    listSpans(
      own.map(({ day }) => day),
      ranges[place] ?? allDays,
    ).map((span) => [place, ...span]),
  );
  const returns = await countReturns(manager, filter, spans);
  return daysOf.map((own, place) => sum(own.map(({ visitors }) => visitors)) - (returns.get(place) ?? 0));
}

const allDays: DayRange = { from: null, to: null };

const ofUser = 'coupon_id in (select id from coupons where user_id = ?)';

const matching = (filter: ClickFilter, conditions = new Conditions()): Conditions =>
  ('userId' in filter ? conditions.and(ofUser, filter.userId) : conditions.and('coupon_id = ?', filter.couponId ?? 0)).and(
    'campaign = ?',
    filter.campaign ?? '',
  );

const rangeColumns = { place: 'bigint', starts: 'bigint', ends: 'bigint', first_day: 'text', last_day: 'text' } as const;

/**
 * For each range, how often a visitor clicked on one more coupon of the user: returns are stored for one coupon or for all. Counted from the
 * clicks; erasure.ts stores the part of those that it erases. An index has the clicks of a coupon by their moment, with the visitor.
 */
async function countRepeatedVisitors(
  manager: EntityManager,
  { userId, campaign, zone }: UserClicks,
  ranges: readonly DayRange[],
): Promise<Map<number, number>> {
  const starts = (day: string | null): number => (day === null ? 0 : startOfDay(day, zone));
  const ends = (day: string | null): number => (day === null ? Number.MAX_SAFE_INTEGER : startOfDay(dayAfter(day), zone));
  const conditions = new Conditions();
  conditions.place(JSON.stringify(ranges.map(({ from, to }, place) => [place, starts(from), ends(to), from ?? '', to ?? '9'])));
  const erased = `user_id = ${conditions.place(userId)} and campaign = ${conditions.place(campaign ?? '')}`;
  conditions.and(ofUser, userId).and('clicked_at >= spans.starts and clicked_at < spans.ends');
  if (campaign !== null) conditions.and('campaign = ?', campaign);
  const spans = jsonTable(manager, rangeColumns);
  const rows: { place: unknown; repeated: unknown }[] = await manager.query(
    `select place, sum(visitors) as repeated from (
       select place, count(distinct coupon_id) - 1 as visitors
       from ${spans} as spans cross join clicks ${conditions.where} group by place, visitor_hash
       union all
       select place, visitors from ${spans} as spans join visitor_repeats on ${erased} and earlier >= first_day and later <= last_day
     ) as counted group by place`,
    conditions.values,
  );
  return new Map(rows.map(({ place, repeated }) => [toSafeInteger(place), toSafeInteger(repeated)]));
}

const counted = projectionOf(visitorCounts, ['clicks', 'conversions', 'visitors']);
const dayCounts = projectionOf(visitorCounts, ['day', 'clicks', 'conversions', 'visitors']);
type DayCounts = Pick<EntityRow<typeof visitorCounts>, 'day' | 'clicks' | 'conversions' | 'visitors'>;

/** The days of all ranges that have clicks, in their order. */
function readDays(manager: EntityManager, filter: ClickFilter, ranges: readonly DayRange[]): Promise<DayCounts[]> {
  const outermost = (pick: (days: string[]) => string | undefined, days: (string | null)[]): string | null =>
    days.includes(null) ? null : (pick(days.filter((day) => day !== null).toSorted()) ?? null);
  const { where, values } = matching(filter).within('day', {
    from: outermost(
      (days) => days[0],
      ranges.map(({ from }) => from),
    ),
    to: outermost(
      (days) => days.at(-1),
      ranges.map(({ to }) => to),
    ),
  });
  // Without the table of clicks there are no statistics of them either. It may be empty: clicks are erased, and their counts stay.
  const hasTable = '(select count(*) from (select 1 from clicks limit 1) as any_click) >= 0';
  const select = `select day, ${counted.sums()} from visitor_counts ${where} and ${hasTable} group by day order by day`;
  return selectRows(manager, dayCounts, select, values);
}

/** The number of items at the start of a sorted list for which the condition holds. */
function countWhile<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

type Span = [grain: ReturnGrain, earlier: string, starts: string, ends: string];

/**
 * The returns within a range: from each day or month, those to the days or months from `starts` to `ends`. Months that the range has a part
 * of are listed by day, the months between them as a whole. `days` are the days of the range that have clicks.
 */
export function listSpans(days: readonly string[], range: DayRange): Span[] {
  const parts = splitAtMonths(days, range);
  return parts.flatMap(({ unit, values }, index) =>
    values.flatMap((earlier) =>
      parts.slice(index).flatMap((other): Span[] => {
        const starts = other.values === values ? earlier : other.values[0];
        const ends = other.values.at(-1);
        if (starts === undefined || ends === undefined || (unit === 'd' && earlier === ends)) return [];
        return [[`${unit}${other.unit}`, earlier, starts, ends]];
      }),
    ),
  );
}

interface Part {
  unit: 'd' | 'm';
  values: string[];
}

/** The days of the month that the range begins in, whole months, and the days of the month that it ends in. Each may be empty. */
function splitAtMonths(days: readonly string[], { from, to }: DayRange): Part[] {
  const firstPart = from === null || from.endsWith('-01') ? '' : from.slice(0, 7);
  const lastPart = to === null || dayAfter(to).endsWith('-01') ? '' : to.slice(0, 7);
  const [head, months, tail]: [string[], Set<string>, string[]] = [[], new Set(), []];
  for (const day of days) {
    const month = day.slice(0, 7);
    if (month === firstPart) head.push(day);
    else if (month === lastPart) tail.push(day);
    else months.add(month);
  }
  if (months.size === 0) return [{ unit: 'd', values: [...head, ...tail] }];
  return [
    { unit: 'd', values: head },
    { unit: 'm', values: [...months] },
    { unit: 'd', values: tail },
  ];
}

const spanColumns = { place: 'bigint', grain: 'text', earlier: 'text', starts: 'text', ends: 'text' } as const;

/** By the place of their range. A subquery for each span is one look-up in the index; a join could read all returns of a coupon. */
async function countReturns(manager: EntityManager, filter: ClickFilter, spans: readonly unknown[][]): Promise<Map<number, number>> {
  if (spans.length === 0) return new Map();
  const conditions = new Conditions();
  conditions.place(JSON.stringify(spans));
  matching(filter, conditions).and(
    'visitor_returns.grain = span.grain and visitor_returns.earlier = span.earlier and later between span.starts and span.ends',
  );
  const rows: { place: unknown; visitors: unknown }[] = await manager.query(
    `select place, coalesce(sum(returned), 0) as visitors from (
       select place, (select sum(visitors) from visitor_returns ${conditions.where}) as returned
       from ${jsonTable(manager, spanColumns)} as span
     ) as of_span group by place`,
    conditions.values,
  );
  return new Map(rows.map(({ place, visitors }) => [toSafeInteger(place), toSafeInteger(visitors)]));
}
