import type { EntityManager } from 'typeorm';
import { toSafeInteger } from '../entities/columns.ts';

/**
 * Inserts a row with the id it brought along, which must be free, or with the next one. SQLite goes on counting after a given id by itself;
 * PostgreSQL has to be told. Nobody else inserts meanwhile, or the counter could be put back behind an id that was just given out.
 */
export async function insertRow(manager: EntityManager, table: string, row: Record<string, unknown>, id: number | null): Promise<number> {
  const isReserved = id !== null && manager.connection.options.type === 'postgres';
  if (isReserved) await manager.query(`lock table ${table} in share row exclusive mode`);
  const values = id === null ? row : { id, ...row };
  const columns = Object.keys(values);
  const places = columns.map((_column, index) => `$${index + 1}`);
  const overriding = isReserved ? ' overriding system value' : '';
  // "do nothing" is a failure all the same, but of another kind: what somebody committed since we looked is a conflict, which is tried again.
  // In lower case, because of what TypeORM's sqlite driver does with "INSERT ".
  const [inserted]: { id: unknown }[] = await manager.query(
    `insert into ${table} (${columns.join(', ')})${overriding} values (${places.join(', ')}) on conflict do nothing returning id`,
    Object.values(values),
  );
  if (!inserted) throw new Error(`A row of ${table} with these values exists already.`);
  if (isReserved) await manager.query(`select setval('${table}_id_seq', greatest($1, last_value)) from ${table}_id_seq`, [id]);
  return toSafeInteger(inserted.id);
}
