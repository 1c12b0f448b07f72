import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import type { DatasetStorage } from './sizes.ts';

const folder = path.resolve(process.env['BENCH_DATA'] ?? 'data/bench');

const fillingPragmas = ['journal_mode = off', 'synchronous = off', 'cache_size = -400000', 'locking_mode = exclusive'];

const removeFile = (file: string): void => {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
};

type Run = (sql: string) => Promise<unknown>;
type Select = (sql: string) => Promise<Record<string, unknown>[]>;

export async function onFile<Result>(file: string, work: (run: Run, select: Select) => Promise<Result>): Promise<Result> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)));
  });
  try {
    return await work(promisify(database.exec.bind(database)) as Run, promisify(database.all.bind(database)) as Select);
  } finally {
    await promisify(database.close.bind(database))();
  }
}

const fileOf = (url: string): string => url.replace(/^sqlite:/, '');

export const sqlite: DatasetStorage = {
  folder,
  async urlOf(name, isEmptied) {
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `${name}.sqlite`);
    if (isEmptied) removeFile(file);
    return `sqlite:${file}`;
  },
  fill: (url, statements) =>
    onFile(fileOf(url), async (run, select) => {
      for (const pragma of fillingPragmas) await run(`pragma ${pragma}`);
      const indexes = await select("select name, sql from sqlite_master where type = 'index' and sql is not null");
      for (const { name } of indexes) await run(`drop index ${String(name)}`);
      for (const statement of statements) await run(statement);
      for (const { sql } of indexes) await run(String(sql));
      await run('pragma locking_mode = normal');
      await run('pragma journal_mode = wal');
    }),
  execute: (url, statements) =>
    onFile(fileOf(url), async (run) => {
      for (const statement of statements) await run(statement);
    }),
  async copy(url, name) {
    const file = path.join(folder, `copy-${name}.sqlite`);
    removeFile(file);
    copyFileSync(fileOf(url), file);
    return { url: `sqlite:${file}`, remove: async () => removeFile(file) };
  },
};
