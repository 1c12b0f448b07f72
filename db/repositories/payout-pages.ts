import type { EntityManager } from 'typeorm';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import type { NamedPayout, PayoutStatus } from '../../domain/payouts/payout.ts';
import { type PublicStatus, readsAs } from '../../domain/payouts/steps.ts';
import type { PayoutFilter, PayoutOrder } from '../../domain/payouts/store.ts';
import type { DayRange } from '../../domain/range.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { namedColumns, namedPayouts, toNamedPayout } from '../entities/payout-columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { manyRows } from '../sql/json-select.ts';
import { dayReached, nearby } from '../sql/page-locator.ts';
import { countsWithin, sumOf } from './payout-counts.ts';

type Row = Record<string, unknown>;

export async function pageOfPayouts(
  manager: EntityManager,
  filter: PayoutFilter,
  order: PayoutOrder,
  page: Page,
): Promise<Paged<NamedPayout>> {
  const { userId, couponId } = filter;
  if ([userId, couponId].some((id) => id !== undefined && !isId(id))) return { items: [], total: 0 };
  const total = await totalOf(manager, filter);
  if (isPastTheEnd(page, total)) return { items: [], total };
  const { range, offset } = await reached(manager, filter, order, { offset: offsetOf(page), total });
  const { where, values } = matching({ ...filter, range });
  // The page is found first, by an index alone; only its own rows get names.
  const found = `select id from payouts ${where} ${sorted(order, '')} limit ${page.perPage} offset ${offset}`;
  const named = `${namedPayouts} where payouts.id in (${found}) ${sorted(order, 'payouts.')}`;
  const rows = await manyRows(manager, namedColumns, named, values);
  return { items: rows.map(toNamedPayout), total };
}

const statuses: readonly PayoutStatus[] = ['pending', 'created', 'processing', 'paid', 'cancel', 'failed'];

/** Decision 7: `created` also finds processing, `cancel` also failed. */
const readingAs = (status: PublicStatus): PayoutStatus[] => statuses.filter((stored) => readsAs(stored) === status);

function matching({ userId, couponId, status, range }: PayoutFilter): Conditions {
  const conditions = new Conditions().within('day', range);
  if (userId !== undefined) conditions.and('user_id = ?', userId);
  if (couponId !== undefined) conditions.and('coupon_id = ?', couponId);
  return status === undefined ? conditions : conditions.isOneOf('status', readingAs(status));
}

const columnsOf: Record<PayoutOrder['by'], readonly string[]> = {
  id: ['id'],
  date: ['day', 'requested_at', 'id'],
  date_paid: ['paid_at', 'id'],
  amount: ['amount_minor', 'id'],
};

function sorted({ by, direction }: PayoutOrder, table: string): string {
  const columns = columnsOf[by].map((column) => `${table}${column} ${direction}`);
  // Those that are not paid come last whichever way; the engines would each put them somewhere else.
  return `order by ${by === 'date_paid' ? `${table}paid_at is null, ` : ''}${columns.join(', ')}`;
}

/** The counts that are kept of such payouts; null where none are: of a user's payouts for one coupon, which are few. */
function keptCounts({ userId, couponId, status }: PayoutFilter, range: DayRange): Conditions | null {
  if (userId !== undefined && couponId !== undefined) return null;
  if (userId !== undefined) return countsWithin('user', userId, range, status);
  if (couponId !== undefined) return countsWithin('coupon', couponId, range, status);
  return countsWithin('all', 0, range, status);
}

async function totalOf(manager: EntityManager, filter: PayoutFilter): Promise<number> {
  const kept = keptCounts(filter, filter.range);
  if (kept) return (await sumOf(manager, kept)).count;
  const { where, values } = matching(filter);
  const [row]: Row[] = await manager.query(`select count(*) as total from payouts ${where}`, values);
  return toSafeInteger(row?.['total']);
}

/** Where a page begins: from this day on, so many payouts further. */
async function reached(
  manager: EntityManager,
  filter: PayoutFilter,
  { by, direction }: PayoutOrder,
  { offset, total }: { offset: number; total: number },
): Promise<{ range: DayRange; offset: number }> {
  const kept = by === 'date' && offset >= nearby ? keptCounts(filter, filter.range) : null;
  if (!kept) return { range: filter.range, offset };
  const select = `select day, sum(count) as own from payout_days ${kept.where} group by day`;
  const found = await dayReached(manager, { select, values: kept.values }, { offset, total, direction });
  if (!found) return { range: filter.range, offset };
  const end = direction === 'desc' ? { to: found.day } : { from: found.day };
  return { range: { ...filter.range, ...end }, offset: offset - found.before };
}
