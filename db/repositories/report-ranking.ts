import type { EntityManager } from 'typeorm';
import type { DayRange } from '../../domain/range.ts';
import type { AffiliateSales, DayEarnings, DayVersion } from '../../domain/reports/store.ts';
import { wholeNumber } from '../columns.ts';
import { Conditions } from '../conditions.ts';
import { jsonList } from '../json-rows.ts';
import { manyRows } from '../many-rows.ts';
import { salesColumns, summedSales, toSales } from '../sales-columns.ts';

type Row = Record<string, unknown>;

const toAffiliateSales = (row: Row): AffiliateSales => ({ userId: wholeNumber(row['user_id']), ...toSales(row) });

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

export async function days(manager: EntityManager, range: DayRange): Promise<DayVersion[]> {
  const { where, values } = new Conditions().and('version > 0').within('day', range);
  // As one text, because both drivers take longer to hand a thousand rows over than the database to find them.
  const [row = {}]: Row[] = await manager.query(
    `select string_agg(day || ' ' || version, ',') as versions, (select coalesce(sum(version), 0) from program_owners) as owners
     from (select day, sum(version) as version from program_days ${where} group by day) as versions_of_days`,
    values,
  );
  const versions = typeof row['versions'] === 'string' ? row['versions'].split(',') : [];
  return versions.map((version) => ({ day: version.slice(0, 10), version: `${version} ${String(row['owners'])}` }));
}

export async function earnings(manager: EntityManager, given: readonly string[]): Promise<DayEarnings[]> {
  // Affiliates with several coupons come several times, which whoever adds up does not mind.
  const select = `
    select day, user_id, commission_minor from coupon_days join coupons on coupons.id = coupon_days.coupon_id
    where day in ${jsonList(manager, 'text')} and user_id is not null and orders_count > 0`;
  const rows = await manyRows(manager, ['day', 'user_id', 'commission_minor'], select, [JSON.stringify(given)]);
  return rows.map((row) => ({
    day: String(row.day),
    userId: wholeNumber(row.user_id),
    commission: wholeNumber(row.commission_minor),
  }));
}
