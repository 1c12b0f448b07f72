import type { EntityManager } from 'typeorm';
import { postgresCatalog } from '../../generated/postgres-catalog.ts';
import type { Migration } from '../migrations/migration.ts';
import { isPostgres } from '../sql/projection.ts';
import { type Catalog, compareCatalogs, tablesOf } from './catalog.ts';
import { findPostgres } from './postgres-catalog.ts';

/**
 * Compares the database with what the migrations create, and names every difference that may change what is read or written. SQLite runs the
 * migrations in memory. A role of PostgreSQL may not be allowed to create a schema to run them in: there their result is generated.
 */
export async function findSchemaDifferences(manager: EntityManager, migrations: readonly Migration[]): Promise<string[]> {
  if (isPostgres(manager)) {
    const expected: Catalog = new Map(Object.entries(postgresCatalog));
    return compareCatalogs(expected, await findPostgres(manager, tablesOf(expected)));
  }
  const { expectedSqlite, findSqlite } = await import('./sqlite-catalog.ts');
  const expected = await expectedSqlite(migrations);
  return compareCatalogs(expected, await findSqlite(manager, expected));
}
