import type { EntityManager } from 'typeorm';
import type { DayRange } from '../../domain/range.ts';
import type { AffiliateSales, CouponEarnings, SalesDay, SalesDays } from '../../domain/reports/store.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { salesColumns, summedSales, toSales } from '../entities/sales-columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { isAmong } from '../sql/json-parameters.ts';
import { manyRows } from '../sql/json-select.ts';

type Row = Record<string, unknown>;

const toAffiliateSales = (row: Row): AffiliateSales => ({ userId: toSafeInteger(row['user_id']), ...toSales(row) });

const bestEver = `
  select user_id, ${salesColumns.join(', ')} from affiliate_totals where orders_count > 0
  order by commission_minor desc, user_id limit $1`;

export async function bestOfAllTime(manager: EntityManager, top: number): Promise<AffiliateSales[]> {
  const rows: Row[] = await manager.query(bestEver, [top]);
  return rows.map(toAffiliateSales);
}

export async function bestWithin(manager: EntityManager, range: DayRange, top: number): Promise<AffiliateSales[]> {
  const conditions = new Conditions().within('day', range);
  const limit = conditions.place(top);
  const rows: Row[] = await manager.query(
    `with of_coupon as materialized (select coupon_id, ${summedSales} from coupon_days ${conditions.where} group by coupon_id)
     select user_id, ${summedSales} from of_coupon join coupons on coupons.id = of_coupon.coupon_id
     where user_id is not null group by user_id having sum(orders_count) > 0
     order by commission_minor desc, user_id limit ${limit}`,
    conditions.values,
  );
  return rows.map(toAffiliateSales);
}

export async function salesOf(manager: EntityManager, userIds: readonly number[], range: DayRange): Promise<AffiliateSales[]> {
  const { where, values } = new Conditions().isOneOf('user_id', userIds).within('day', range);
  const rows: Row[] = await manager.query(
    `select user_id, ${summedSales} from coupons join coupon_days on coupon_days.coupon_id = coupons.id ${where}
     group by user_id having sum(orders_count) > 0`,
    values,
  );
  return rows.map(toAffiliateSales);
}

export async function days(manager: EntityManager, range: DayRange): Promise<SalesDays> {
  const { where, values } = new Conditions().and('version > 0').within('day', range);
  // As one text, because both drivers take longer to hand a thousand rows over than the database to find them.
  const [row = {}]: Row[] = await manager.query(
    `select string_agg(day || ' ' || version || ' ' || coupons, ',') as days,
       (select coalesce(sum(version), 0) from program_versions where what = 'owners') as owners
     from (select day, sum(version) as version, sum(coupons_count) as coupons from program_days ${where} group by day) as kept`,
    values,
  );
  const found = typeof row['days'] === 'string' ? row['days'].split(',') : [];
  return { days: found.map(toSalesDay), owners: String(row['owners']) };
}

function toSalesDay(text: string): SalesDay {
  const [day = '', version = '', coupons] = text.split(' ');
  return { day, version, coupons: Number(coupons) };
}

export async function earnings(manager: EntityManager, given: readonly string[]): Promise<CouponEarnings[]> {
  const select = `select day, coupon_id, commission_minor from coupon_days where day ${isAmong(manager, 'text')} and orders_count > 0`;
  const rows = await manyRows(manager, ['day', 'coupon_id', 'commission_minor'], select, [JSON.stringify(given)]);
  return rows.map((row) => ({
    day: String(row.day),
    couponId: toSafeInteger(row.coupon_id),
    commission: toSafeInteger(row.commission_minor),
  }));
}

export async function ownersOf(manager: EntityManager, couponIds: readonly number[]): Promise<Map<number, number>> {
  const select = `select id, user_id from coupons where id ${isAmong(manager, 'bigint')} and user_id is not null`;
  const rows = await manyRows(manager, ['id', 'user_id'], select, [JSON.stringify(couponIds)]);
  return new Map(rows.map((row) => [toSafeInteger(row.id), toSafeInteger(row.user_id)]));
}
