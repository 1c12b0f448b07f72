import { setTimeout } from 'node:timers/promises';
import sqlite3 from 'sqlite3';
import type { EntityManager, QueryRunner } from 'typeorm';
import { errorCode } from '../database-error.ts';
import type { ManagedWork, StorageOptions } from '../storage.ts';
import { allowOneStatement, createAutocommitManager, runInTransaction } from '../transaction-manager.ts';
import { SqliteDataSource } from './data-source.ts';
import { numberParameters, PreparedStatements } from './prepared-statements.ts';

/** Longer than another process, for example a long import, holds the write lock. */
const maxBusyTimeoutMs = 10_000;

const roles = {
  writer: {
    flags: sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_FULLMUTEX,
    // A batch of orders changes more than 64 KB of pages by one statement, which SQLite would note in a file of its own to undo it alone. It
    // also fills a log of 1,000 pages, the default, after which SQLite copies all of them into the file.
    pragmas: ['pragma synchronous = full', 'pragma temp_store = memory', 'pragma wal_autocheckpoint = 4000'],
    // A deferred BEGIN fails when two processes upgrade from reading to writing at the same time.
    begin: 'BEGIN IMMEDIATE',
  },
  reader: {
    flags: sqlite3.OPEN_READONLY | sqlite3.OPEN_FULLMUTEX,
    pragmas: [] as string[],
    begin: 'BEGIN DEFERRED',
  },
};

/** Runs statements as prepared ones, except those of TypeORM's own operations, which need more than rows. */
function createRunner(source: SqliteDataSource, statements: PreparedStatements): QueryRunner {
  const runner = Object.create(source.createQueryRunner()) as QueryRunner;
  const { query } = runner;
  return Object.assign(runner, {
    query: (sql: string, values?: unknown[], isStructured?: boolean): Promise<unknown> => {
      if (!isStructured) return statements.all(sql, values);
      statements.report(sql);
      return Reflect.apply(query, runner, [numberParameters(sql), values, true]);
    },
  });
}

/** A data source of one handle. Callers need exclusive use: see ConnectionPool. */
export class SqliteConnection {
  readonly #path: string;
  readonly #role: (typeof roles)['writer'];
  readonly #onStatement: StorageOptions['onStatement'];
  readonly #migrations: StorageOptions['migrations'];
  readonly #busyTimeoutMs: number;
  #source: SqliteDataSource | undefined;
  #statements: PreparedStatements | undefined;
  #runner: QueryRunner | undefined;
  /** Outside of transactions. Created once for each connection: creating one costs as much as a short statement. */
  #autocommit: EntityManager | undefined;
  #beforeAutocommit: () => void = () => {};
  #isBroken = false;

  constructor(path: string, role: keyof typeof roles, { onStatement, migrations, timeoutMs = maxBusyTimeoutMs }: StorageOptions) {
    this.#path = path;
    this.#role = roles[role];
    this.#busyTimeoutMs = Math.min(timeoutMs, maxBusyTimeoutMs);
    this.#onStatement = onStatement;
    this.#migrations = migrations;
  }

  async open(): Promise<this> {
    const { flags, pragmas } = this.#role;
    this.#source = new SqliteDataSource({
      path: this.#path,
      flags,
      busyTimeoutMs: this.#busyTimeoutMs,
      migrations: this.#migrations,
    });
    await this.#source.initialize();
    this.#statements = new PreparedStatements(this.#source.handle, this.#onStatement);
    this.#runner = createRunner(this.#source, this.#statements);
    for (const pragma of pragmas) await this.query(pragma);
    if (this.#role === roles.writer) await enableWriteAheadLog((sql) => this.query(sql));
    return this;
  }

  async transaction<Result>(work: ManagedWork<Result>): Promise<Result> {
    const runner = await this.#usableRunner();
    const begin = () => runner.query(this.#role.begin);
    const commit = () => runner.query('COMMIT');
    return runInTransaction(runner, { begin, commit, onRollbackFailed: () => this.#reopen() }, work);
  }

  singleStatement<Result>(work: ManagedWork<Result>): Promise<Result> {
    this.#beforeAutocommit = allowOneStatement();
    return this.#autocommit ? work(this.#autocommit) : this.#openAutocommit().then(work);
  }

  async #openAutocommit(): Promise<EntityManager> {
    this.#autocommit = createAutocommitManager(await this.#usableRunner(), () => this.#beforeAutocommit());
    return this.#autocommit;
  }

  query(sql: string, values: unknown[] = []): Promise<unknown[]> {
    return whileOpen(this.#statements).all(sql, values);
  }

  /** The running statement fails with SQLITE_INTERRUPT. Does nothing between two statements. */
  interrupt(): void {
    if (this.#source?.isInitialized) this.#source.handle.interrupt();
  }

  async close(): Promise<void> {
    await this.#statements?.finalizeAll();
    const source = this.#source;
    this.#source = this.#statements = this.#runner = this.#autocommit = undefined;
    if (source?.isInitialized) await source.destroy();
  }

  async #usableRunner(): Promise<QueryRunner> {
    // Reopening failed before, for example on a full disk, and may succeed now.
    if (this.#isBroken) await this.#reopen();
    return whileOpen(this.#runner);
  }

  async #reopen(): Promise<void> {
    this.#isBroken = true;
    await this.close();
    await this.open();
    this.#isBroken = false;
  }
}

function whileOpen<Part>(part: Part | undefined): Part {
  if (!part) throw new Error('This connection is not open.');
  return part;
}

const maxAttempts = 200;

/** Instead of TypeORM's `enableWAL`, which does not retry: SQLite's busy timeout does not apply to this switch while another process uses the file. */
export async function enableWriteAheadLog(query: (sql: string) => Promise<unknown[]>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [row] = await query('pragma journal_mode = wal');
      return requireWal(row as { journal_mode: string } | undefined);
    } catch (error) {
      if (errorCode(error) !== 'SQLITE_BUSY' || attempt === maxAttempts) throw error;
    }
    await setTimeout(Math.random() * 50);
  }
}

/** SQLite returns the mode it stayed in where the file system cannot share memory between processes. */
function requireWal(row: { journal_mode: string } | undefined): void {
  if (row?.journal_mode !== 'wal') throw new Error('its file system allows no write-ahead log. Put the file on a local disk.');
}
