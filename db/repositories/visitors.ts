import type { EntityManager, EntitySchema } from 'typeorm';
import { groupBy } from '../../domain/group-by.ts';
import { type ReturnGrain, visitorCounts, visitorDays, visitorReturns } from '../entities/clicks.ts';
import { bigint, type EntityRow, nullable, text } from '../entities/columns.ts';
import { addExcluded, insertRows, jsonRows, jsonTable } from '../sql/insert.ts';
import { isPostgres, projectionOf, resultColumns, selectRows } from '../sql/projection.ts';

// By hand and set-based, for the benchmark row `redirect`. Maintains the tables that click-figures.ts reads; docs/decisions/0021 explains them. Clicks are written in serializable transactions only:
// where two record the same visitor at once, each reads days that the other writes, and PostgreSQL retries one of them.

/** What the statistics count of a click. */
export interface CountedClick {
  couponId: number;
  campaign: string | null;
  day: string;
  visitorHash: string;
}

interface Filter {
  couponId: number;
  campaign: string;
}

type VisitorDay = EntityRow<typeof visitorDays>;
type Counts = Omit<EntityRow<typeof visitorCounts>, 'part'>;
type Returns = Omit<EntityRow<typeof visitorReturns>, 'part'>;

/** A click counts for its coupon and for all (0), for its campaign and for all (''). */
const filtersOf = ({ couponId, campaign }: CountedClick): Filter[] =>
  [0, couponId].flatMap((coupon) => [{ couponId: coupon, campaign: '' }, ...(campaign === null ? [] : [{ couponId: coupon, campaign }])]);

/** Adds new clicks and their visitors to the stored counts. */
export async function countVisitors(manager: EntityManager, clicks: readonly CountedClick[]): Promise<void> {
  const visits = await findNewVisits(manager, listVisits(clicks));
  await insertRows(
    manager,
    visitorDays,
    visits.map(({ previous: _previous, next: _next, ...visit }) => visit),
    'on conflict do nothing',
  );
  const visitors = visits.map(({ couponId, campaign, day }) => ({ couponId, campaign, day, ...none, visitors: 1 }));
  await addCounts(manager, [...countsOf(clicks, { ...none, clicks: 1 }), ...visitors]);
  await addReturns(manager, listReturns(visits));
}

/** Adds clicks that led to an order to the stored counts. */
export const countConversions = (manager: EntityManager, clicks: readonly CountedClick[]): Promise<void> =>
  addCounts(manager, countsOf(clicks, { ...none, conversions: 1 }));

const none = { clicks: 0, conversions: 0, visitors: 0 };

const countsOf = (clicks: readonly CountedClick[], one: typeof none): Counts[] =>
  clicks.flatMap((click) => filtersOf(click).map((filter) => ({ ...filter, day: click.day, ...one })));

/** Each visitor once for each filter and day. */
const listVisits = (clicks: readonly CountedClick[]): VisitorDay[] =>
  mergeByKey(
    clicks.flatMap((click) => filtersOf(click).map((filter) => ({ visitorHash: click.visitorHash, ...filter, day: click.day }))),
    ({ visitorHash, couponId, campaign, day }) => `${visitorHash} ${day} ${couponId} ${campaign}`,
    () => {},
  );

interface Visit extends VisitorDay {
  /** The stored days before and after on which the visitor clicked, for the same filter. */
  previous: string | null;
  next: string | null;
}

const visitColumns = { place: 'bigint', visitor_hash: 'text', coupon_id: 'bigint', campaign: 'text', day: 'text' } as const;
const neighbours = resultColumns({ place: bigint('place'), previous: nullable(text('previous')), next: nullable(text('next')) });

const neighbour = (pick: 'min' | 'max', comparison: '<=' | '>'): string => `(
  select ${pick}(day) from visitor_days as other
  where other.visitor_hash = visit.visitor_hash and other.coupon_id = visit.coupon_id and other.campaign = visit.campaign
    and other.day ${comparison} visit.day)`;

/** The visits that are not stored yet, with their neighbours. Most visitors are new: the statement returns the others alone. */
async function findNewVisits(manager: EntityManager, visits: readonly VisitorDay[]): Promise<Visit[]> {
  const rows = await selectRows(
    manager,
    neighbours,
    `with visitor as materialized (
       select place, ${neighbour('max', '<=')} as previous, ${neighbour('min', '>')} as next
       from ${jsonTable(manager, visitColumns)} as visit
     ) select place, previous, next from visitor where previous is not null or next is not null`,
    jsonRows(visits.map(({ visitorHash, couponId, campaign, day }, place) => [place, visitorHash, couponId, campaign, day])),
  );
  const byPlace = new Map(rows.map(({ place, previous, next }) => [place, { previous, next }]));
  return visits
    .map((visit, place) => ({ ...visit, ...(byPlace.get(place) ?? { previous: null, next: null }) }))
    .filter(({ previous, day }) => previous !== day);
}

/** The changes of returns by new visits. A visit between two others replaces the return from one to the other by two. */
function listReturns(visits: readonly Visit[]): Returns[] {
  const changes: Returns[] = [];
  const add = ({ couponId, campaign }: Filter, earlier: string | null, later: string | null, visitors: 1 | -1): void => {
    if (earlier === null || later === null) return;
    for (const units of unitsOf(earlier, later)) changes.push({ couponId, campaign, ...units, visitors });
  };
  for (const ofVisitor of groupBy(visits, ({ visitorHash, couponId, campaign }) => `${visitorHash} ${couponId} ${campaign}`).values()) {
    // In the order of their days. Visits with the same neighbours follow each other.
    for (const [index, visit] of ofVisitor.entries()) {
      const before = ofVisitor[index - 1];
      const after = ofVisitor[index + 1];
      add(visit, before?.next === visit.next ? before.day : visit.previous, visit.day, 1);
      if (after && after.next === visit.next) continue;
      add(visit, visit.day, visit.next, 1);
      add(visit, visit.previous, visit.next, -1);
    }
  }
  return changes;
}

/** Of a month, a range adds up either days or the whole, so that returns within a month are never counted from a day to a month. */
function unitsOf(earlier: string, later: string): Pick<Returns, 'grain' | 'earlier' | 'later'>[] {
  const [earlierMonth, laterMonth] = [earlier.slice(0, 7), later.slice(0, 7)];
  const units = (grain: ReturnGrain, from: string, to: string) => ({ grain, earlier: from, later: to });
  const same = [units('dd', earlier, later), units('mm', earlierMonth, laterMonth)];
  return earlierMonth === laterMonth ? same : [...same, units('dm', earlier, laterMonth), units('md', earlierMonth, later)];
}

function addCounts(manager: EntityManager, counts: readonly Counts[]): Promise<void> {
  const sums = mergeByKey(
    counts,
    ({ couponId, campaign, day }) => `${couponId} ${day} ${campaign}`,
    (sum, { clicks, conversions, visitors }) => {
      sum.clicks += clicks;
      sum.conversions += conversions;
      sum.visitors += visitors;
    },
  );
  return addRows(manager, visitorCounts, sums, ['clicks', 'conversions', 'visitors']);
}

function addReturns(manager: EntityManager, changes: readonly Returns[]): Promise<void> {
  const sums = mergeByKey(
    changes,
    ({ couponId, campaign, grain, earlier, later }) => `${couponId} ${grain} ${earlier} ${later} ${campaign}`,
    (sum, { visitors }) => {
      sum.visitors += visitors;
    },
  );
  const changed = sums.filter(({ visitors }) => visitors !== 0);
  return addRows(manager, visitorReturns, changed, ['visitors']);
}

/** One row for each key, in the same order in all transactions, so that two which write the same rows cannot deadlock. */
function mergeByKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string, addTo: (sum: Row, row: Row) => void): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    const sum = sums.get(key);
    if (sum) addTo(sum, row);
    else sums.set(key, row);
  }
  return [...sums.keys()].toSorted().map((key) => sums.get(key) as Row);
}

/** All clicks write the rows of all coupons: on PostgreSQL connections share sixteen parts, so that they do not wait for each other. */
const partOf = (manager: EntityManager): string =>
  isPostgres(manager) ? 'case when coupon_id = 0 then pg_backend_pid() % 16 else 0 end' : '0';

async function addRows<Row extends { part: number }>(
  manager: EntityManager,
  entity: EntitySchema<Row>,
  rows: readonly Omit<Row, 'part'>[],
  summed: (keyof Row & string)[],
): Promise<void> {
  const added = addExcluded(entity.options.name, projectionOf(entity, summed));
  const keys = Object.values(entity.options.columns).flatMap((column) => (column?.primary ? String(column.name) : []));
  await insertRows(manager, entity, rows as Partial<Row>[], `on conflict (${keys.join(', ')}) do update set ${added}`, {
    part: partOf(manager),
  });
}
