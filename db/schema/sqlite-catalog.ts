import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import type { EntityManager } from 'typeorm';
import { sqliteDialect } from '../engine/dialect.ts';
import type { Migration } from '../migrations/migration.ts';
import { createMigrationTable } from '../migrations/run.ts';
import { type Catalog, type FoundObject, normalizeSpace, tablesOf } from './catalog.ts';

interface MasterRow {
  type: 'table' | 'view' | 'index' | 'trigger';
  name: string;
  tbl_name: string;
  /** Null for the index of a key. */
  sql: string | null;
}

// Not those of SQLite itself, such as sqlite_sequence and the statistics of ANALYZE.
const selectObjects =
  "select type, name, tbl_name, sql from sqlite_master where tbl_name not like 'sqlite^_%' escape '^' order by type desc, name";

const nameOf = ({ type, name, tbl_name: table }: MasterRow): string =>
  type === 'index' || type === 'trigger' ? `${type} ${name} of ${table.toLowerCase()}` : `table ${name.toLowerCase()}`;

/** SQLite quotes the name of a table that was renamed. Other quotes stay: what is quoted and is no column is a text. */
const definitionOf = ({ sql }: MasterRow, tables: readonly string[]): string =>
  sql === null
    ? 'the index of a key'
    : normalizeSpace(sql.replaceAll(/"(\w+)"/g, (quoted, name) => (tables.includes(name) ? name : quoted)));

const results = new WeakMap<readonly Migration[], Promise<Catalog>>();

/** What the migrations create: SQLite stores the text of each object. */
export function expectedSqlite(migrations: readonly Migration[]): Promise<Catalog> {
  const result = results.get(migrations) ?? migrateInMemory(migrations);
  results.set(migrations, result);
  return result;
}

async function migrateInMemory(migrations: readonly Migration[]): Promise<Catalog> {
  const handle = new sqlite3.Database(':memory:');
  const run = promisify(handle.all.bind(handle) as (sql: string, done: (error: Error | null, rows: unknown[]) => void) => void);
  try {
    await run(createMigrationTable);
    for (const { up } of migrations) await up(run, sqliteDialect);
    const rows = (await run(selectObjects)) as MasterRow[];
    const tables = rows.filter(({ type }) => type === 'table').map(({ name }) => name);
    return new Map(rows.map((row) => [nameOf(row), definitionOf(row, tables)]));
  } finally {
    await promisify(handle.close.bind(handle))();
  }
}

/** Of columns alone: an expression or a condition may refuse rows. */
const plainColumn = String.raw`"?\w+"?(\s+(asc|desc))?`;
const plainIndex = new RegExp(
  String.raw`^create\s+index\s+"?\w+"?\s+on\s+"?\w+"?\s*\(\s*${plainColumn}(\s*,\s*${plainColumn})*\s*\)\s*$`,
  'i',
);

/** The tables of the catalog, with everything that is defined on them. A further index of columns that is not unique refuses no row. */
export async function findSqlite(manager: EntityManager, expected: Catalog): Promise<FoundObject[]> {
  const tables = tablesOf(expected);
  const rows: MasterRow[] = await manager.query(selectObjects);
  return rows
    .filter((row) => tables.includes(row.tbl_name.toLowerCase()))
    .map((row) => ({
      what: nameOf(row),
      definition: definitionOf(row, tables),
      isHarmless: row.type === 'index' && plainIndex.test(row.sql ?? ''),
    }));
}
