import type { EntityManager, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';

export const isPostgres = (manager: EntityManager): boolean => manager.connection.options.type === 'postgres';

/** Runs an update or a delete that has `returning`. On PostgreSQL, TypeORM returns the rows together with their number. */
export async function queryReturning<Row = Record<string, unknown>>(
  manager: EntityManager,
  sql: string,
  values: unknown[],
): Promise<Row[]> {
  const result: Row[] | [Row[], number] = await manager.query(sql, values);
  return Array.isArray(result[0]) ? result[0] : (result as Row[]);
}

/** Takes a PostgreSQL advisory lock until the transaction ends; false while another process holds it. SQLite has one writer anyway. */
export async function tryAdvisoryLock(manager: EntityManager, lock: number, key?: number): Promise<boolean> {
  if (!isPostgres(manager)) return true;
  const [arguments_, values] = key === undefined ? [lock, []] : [`${lock}, hashint8($1)`, [key]];
  const [row]: { free: boolean }[] = await manager.query(`select pg_try_advisory_xact_lock(${arguments_}) as free`, values);
  return row?.free === true;
}

/** One page of what a query finds. The rows are not queried when the page lies past the end. */
export async function findPage<Row extends ObjectLiteral>(query: SelectQueryBuilder<Row>, page: Page): Promise<Paged<Row>> {
  const total = await query.getCount();
  if (isPastTheEnd(page, total)) return { items: [], total };
  return { items: await query.offset(offsetOf(page)).limit(page.perPage).getMany(), total };
}
