import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../processes.ts';
import { type Checkout, runCommand } from '../targets.ts';
import { postgres } from './postgres.ts';
import type { Engine, SizeName } from './sizes.ts';
import { sizes } from './sizes.ts';
import { onFile, sqlite } from './sqlite.ts';
import { statements } from './statements.ts';

export interface Dataset {
  engine: Engine;
  size: SizeName;
  /** As in DATABASE_URL. */
  url: string;
  /** The version of the service that has made its tables. */
  checkout: Checkout;
}

export interface DatasetCopy extends Dataset {
  remove(): Promise<void>;
}

/** How data sets are stored, past everything that the service does to protect its database. */
export interface Storage {
  /** Stored between runs, outside of git. */
  folder: string;
  /** Creates an empty database, or only returns where it is. */
  urlOf(name: string, isEmptied: boolean): Promise<string>;
  /** Runs statements on empty tables, with indexes created last: over all rows at once they take a tenth of the time. */
  fill(url: string, statements: readonly string[]): Promise<void>;
  execute(url: string, statements: readonly string[]): Promise<void>;
  copy(url: string, name: string): Promise<{ url: string; remove(): Promise<void> }>;
}

const storages: Record<Engine, Storage> = { sqlite, postgres };

/** Creates a data set at its first use, and again when its tables or its statements have changed. Each version of the service has its own. */
export async function openDataset(
  engine: Engine,
  size: SizeName,
  checkout: Checkout,
  version: 'service' | 'before',
): Promise<Dataset & { isNew: boolean }> {
  const storage = storages[engine];
  const name = version === 'service' ? size : `${size}_${version}`;
  const stamp = path.join(storage.folder, `${name}.recipe`);
  const recipe = createHash('sha256')
    .update(await schemaOf(checkout))
    .update(JSON.stringify(statements(engine, sizes[size], '')))
    .digest('hex');
  const isNew = !existsSync(stamp) || readFileSync(stamp, 'utf8') !== recipe;
  const url = await storage.urlOf(name, isNew);
  if (isNew) {
    await runCommand(checkout, url, ['migrate']);
    await storage.fill(url, statements(engine, sizes[size]));
    writeFileSync(stamp, recipe);
  }
  return { engine, size, url, checkout, isNew };
}

const schemas = new Map<Checkout, Promise<string>>();

/** The tables as SQLite has them stand for those of both engines. */
function schemaOf(checkout: Checkout): Promise<string> {
  const read = async (): Promise<string> => {
    const file = path.join(temporaryFolder(), 'schema.sqlite');
    await runCommand(checkout, `sqlite:${file}`, ['migrate']);
    return JSON.stringify(await onFile(file, (_run, select) => select('select sql from sqlite_master order by type, name')));
  };
  const schema = schemas.get(checkout) ?? read();
  schemas.set(checkout, schema);
  return schema;
}

/** For rows that write. Changed by these statements beforehand. */
export async function copyDataset(dataset: Dataset, name: string, changes: readonly string[] = []): Promise<DatasetCopy> {
  const storage = storages[dataset.engine];
  const copy = await storage.copy(dataset.url, name);
  await storage.execute(copy.url, changes);
  return { ...dataset, ...copy };
}
