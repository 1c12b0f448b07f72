import type { EntityManager, EntitySchema } from 'typeorm';
import { groupBy } from '../../domain/group-by.ts';
import { type ReturnGrain, visitorCounts, visitorDays, visitorReturns } from '../entities/clicks.ts';
import type { EntityRow } from '../entities/columns.ts';
import { addExcluded, insertRows, jsonRows, jsonTable } from '../sql/insert.ts';
import { isPostgres, projectionOf } from '../sql/projection.ts';

// Maintains the tables that click-figures.ts reads; docs/decisions/0021 explains them. Clicks are written in serializable transactions only:
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
  const visits = await insertVisits(manager, clicks);
  const visitors = visits.map(({ couponId, campaign, day }) => ({ couponId, campaign, day, ...none, visitors: 1 }));
  await addCounts(manager, [...countsOf(clicks, { ...none, clicks: 1 }), ...visitors]);
  await addReturns(manager, listReturns(await findNeighbours(manager, visits)));
}

/** Adds clicks that led to an order to the stored counts. */
export const countConversions = (manager: EntityManager, clicks: readonly CountedClick[]): Promise<void> =>
  addCounts(manager, countsOf(clicks, { ...none, conversions: 1 }));

const none = { clicks: 0, conversions: 0, visitors: 0 };

const countsOf = (clicks: readonly CountedClick[], one: typeof none): Counts[] =>
  clicks.flatMap((click) => filtersOf(click).map((filter) => ({ ...filter, day: click.day, ...one })));

const visitorDay = projectionOf(visitorDays);

/** Returns the rows that are new: the first click of a visitor on a day, for each filter. */
async function insertVisits(manager: EntityManager, clicks: readonly CountedClick[]): Promise<VisitorDay[]> {
  const visits = mergeByKey(
    clicks.flatMap((click) => filtersOf(click).map((filter) => ({ ...filter, visitorHash: click.visitorHash, day: click.day }))),
    ({ visitorHash, couponId, campaign, day }) => [visitorHash, couponId, campaign, day],
    (visit) => visit,
  );
  const rows = await insertRows(manager, visitorDays, visits, `on conflict do nothing returning ${visitorDay.list()}`);
  return rows.map(visitorDay.toObject);
}

interface Visit extends VisitorDay {
  /** The days before and after on which the visitor clicked, for the same filter. */
  previous: string | null;
  next: string | null;
}

const neighbour = (pick: 'min' | 'max', comparison: '<' | '>'): string => `(
  select ${pick}(day) from visitor_days as other
  where other.visitor_hash = visit.visitor_hash and other.coupon_id = visit.coupon_id and other.campaign = visit.campaign
    and other.day ${comparison} visit.day)`;

async function findNeighbours(manager: EntityManager, visits: readonly VisitorDay[]): Promise<Visit[]> {
  if (visits.length === 0) return [];
  const columns = Object.fromEntries(visitorDay.sources.map(({ column, type }) => [column, type]));
  const rows: (Record<string, unknown> & Pick<Visit, 'previous' | 'next'>)[] = await manager.query(
    `select ${visitorDay.list()}, ${neighbour('max', '<')} as previous, ${neighbour('min', '>')} as next
     from ${jsonTable(manager, columns)} as visit`,
    jsonRows(visits.map(({ visitorHash, couponId, campaign, day }) => [visitorHash, couponId, campaign, day])),
  );
  return rows.map(({ previous, next, ...row }) => ({ ...visitorDay.toObject(row), previous, next }));
}

/** The changes of returns by new visits. A visit between two others replaces the return from one to the other by two. */
function listReturns(visits: readonly Visit[]): Returns[] {
  const changes: Returns[] = [];
  const add = ({ couponId, campaign }: Filter, earlier: string | null, later: string | null, visitors: 1 | -1): void => {
    if (earlier === null || later === null) return;
    for (const units of unitsOf(earlier, later)) changes.push({ couponId, campaign, ...units, visitors });
  };
  for (const ofVisitor of groupBy(visits, ({ visitorHash, couponId, campaign }) => `${visitorHash} ${couponId} ${campaign}`).values()) {
    const byDay = ofVisitor.toSorted((one, other) => (one.day < other.day ? -1 : 1));
    let before = byDay[0]?.previous ?? null;
    for (const [index, visit] of byDay.entries()) {
      add(visit, visit.previous, visit.day, 1);
      const following = byDay[index + 1];
      if (following && following.day === visit.next) continue;
      // The next visit is older than this batch, and so is its return from the visit before this row of new ones.
      add(visit, visit.day, visit.next, 1);
      add(visit, before, visit.next, -1);
      before = following?.previous ?? null;
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
    ({ couponId, campaign, day }) => [couponId, campaign, day],
    (sum, { clicks, conversions, visitors }) => ({
      ...sum,
      clicks: sum.clicks + clicks,
      conversions: sum.conversions + conversions,
      visitors: sum.visitors + visitors,
    }),
  );
  return addRows(manager, visitorCounts, sums, ['clicks', 'conversions', 'visitors']);
}

function addReturns(manager: EntityManager, changes: readonly Returns[]): Promise<void> {
  const sums = mergeByKey(
    changes,
    ({ couponId, campaign, grain, earlier, later }) => [couponId, campaign, grain, earlier, later],
    (sum, { visitors }) => ({ ...sum, visitors: sum.visitors + visitors }),
  );
  const changed = sums.filter(({ visitors }) => visitors !== 0);
  return addRows(manager, visitorReturns, changed, ['visitors']);
}

/** One row for each key, in the same order in all transactions, so that two which write the same rows cannot deadlock. */
function mergeByKey<Row>(rows: readonly Row[], keyOf: (row: Row) => unknown[], merge: (one: Row, other: Row) => Row): Row[] {
  const merged = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row).join('\0');
    const present = merged.get(key);
    merged.set(key, present ? merge(present, row) : row);
  }
  return [...merged].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
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
