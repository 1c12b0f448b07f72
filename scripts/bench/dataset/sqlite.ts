import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import { fill, type Made, makeTables, once } from './filling.ts';
import { type SizeName, sizes } from './sizes.ts';

const quickly = ['pragma journal_mode = off', 'pragma synchronous = off', 'pragma cache_size = -400000', 'pragma locking_mode = exclusive'];

const suffixes = ['', '-wal', '-shm', '-journal'];

const removeFile = (file: string): void => {
  for (const suffix of suffixes) rmSync(`${file}${suffix}`, { force: true });
};

export async function sqliteFile(folder: string, name: SizeName): Promise<Made> {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.sqlite`);
  const isNew = await once(path.join(folder, `${name}.recipe`), 'sqlite', sizes[name], async () => {
    removeFile(file);
    await makeTables(`sqlite:${file}`);
    await filled(file, name);
  });
  return { url: `sqlite:${file}`, isNew };
}

async function filled(file: string, name: SizeName): Promise<void> {
  await onFile(file, async (run, rows) => {
    for (const pragma of quickly) await run(pragma);
    const indexes = async () => {
      const found = await rows("select name, sql from sqlite_master where type = 'index' and sql is not null");
      return found.map((index) => ({ make: String(index['sql']), drop: `drop index ${String(index['name'])}` }));
    };
    await fill({ run, indexes }, 'sqlite', sizes[name]);
    await run('pragma locking_mode = normal');
    await run('pragma journal_mode = wal');
  });
}

type Run = (sql: string) => Promise<unknown>;
type Rows = (sql: string) => Promise<Record<string, unknown>[]>;

/** Opens the file, past the service. */
export async function onFile(file: string, work: (run: Run, rows: Rows) => Promise<void>): Promise<void> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)));
  });
  const run: Run = promisify(database.exec.bind(database));
  const rows = promisify(database.all.bind(database)) as Rows;
  try {
    await work(run, rows);
  } finally {
    await promisify(database.close.bind(database))();
  }
}

/** For what writes, so that the data set stays as it is. */
export function copyOfFile(file: string, copy: string): () => void {
  removeFile(copy);
  copyFileSync(file, copy);
  return () => removeFile(copy);
}
