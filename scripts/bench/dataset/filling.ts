import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { openDatabase } from '../../../db/database.ts';
import { postgresDialect, sqliteDialect } from '../../../db/engine/dialect.ts';
import { migrations } from '../../../db/migrations/index.ts';
import type { Engine, Size } from './sizes.ts';
import { statements } from './statements.ts';

/** A database past everything that the service does to protect it. */
export interface Raw {
  run(sql: string): Promise<unknown>;
  /** What makes and what drops each index that is not a key. */
  indexes(): Promise<{ make: string; drop: string }[]>;
}

export interface Made {
  /** As DATABASE_URL takes it. */
  url: string;
  isNew: boolean;
}

/** Indexes come last: made over all rows at once they take a tenth of the time. */
export async function fill(raw: Raw, engine: Engine, size: Size): Promise<void> {
  const indexes = await raw.indexes();
  for (const { drop } of indexes) await raw.run(drop);
  for (const statement of statements(engine, size)) await raw.run(statement);
  for (const { make } of indexes) await raw.run(make);
}

export async function makeTables(url: string): Promise<void> {
  const database = await openDatabase({ url });
  await database.migrate().finally(() => database.close());
}

/** Changes with the tables and with what fills them. */
async function recipeOf(engine: Engine, size: Size): Promise<string> {
  const steps: string[] = [];
  for (const { up } of migrations) await up(async (sql) => steps.push(sql), dialects[engine]);
  return createHash('sha256')
    .update(JSON.stringify([steps, statements(engine, size, '')]))
    .digest('hex');
}

const dialects = { sqlite: sqliteDialect, postgres: postgresDialect };

/** Remembers by a file which recipe a data set was made by: it is made once, and anew when the recipe has changed. True when it was made. */
export async function once(stamp: string, engine: Engine, size: Size, make: () => Promise<void>): Promise<boolean> {
  const recipe = await recipeOf(engine, size);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === recipe) return false;
  await make();
  writeFileSync(stamp, recipe);
  return true;
}
