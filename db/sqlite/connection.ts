import sqlite3 from 'sqlite3';
import { DataSource, type QueryRunner } from 'typeorm';
import { entities } from '../entities/index.ts';
import { inTransaction } from '../lease.ts';
import { statementLogger } from '../statement-logger.ts';
import type { StorageOptions, Work } from '../storage.ts';
import { useWriteAheadLog } from './write-ahead-log.ts';

/** TypeORM asks for `verbose()`, which captures a stack for every call and halves the writes. */
const quietDriver = Object.assign(Object.create(sqlite3) as typeof sqlite3, { verbose: () => quietDriver });

// Another process, the command line say, may hold the write lock meanwhile; a long import is over in less.
const busyTimeout = 'pragma busy_timeout = 10000';

const roles = {
  writer: {
    flags: sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_FULLMUTEX,
    pragmas: [busyTimeout, 'pragma synchronous = full', 'pragma foreign_keys = on'],
    // A deferred BEGIN fails when two processes turn from reading to writing at once.
    begin: 'BEGIN IMMEDIATE',
  },
  reader: {
    flags: sqlite3.OPEN_READONLY | sqlite3.OPEN_FULLMUTEX,
    pragmas: [busyTimeout],
    begin: 'BEGIN DEFERRED',
  },
};

/**
 * `$1` is a name to SQLite, looked for among all names before it: a list of thousands takes seconds. A numbered `?1` is found at once, and
 * stands for the first value wherever in the statement it comes first.
 */
function withNumberedValues(runner: QueryRunner): QueryRunner {
  const query = (sql: string, ...rest: unknown[]): Promise<unknown> =>
    Reflect.apply(runner.query, runner, [sql.replaceAll(/\$(\d+)/g, '?$1'), ...rest]);
  return Object.assign(Object.create(runner) as QueryRunner, { query });
}

/** One handle on the file. Whoever uses it has it alone. */
export class SqliteConnection {
  readonly #role: (typeof roles)['writer'];
  readonly #source: DataSource;

  constructor(path: string, role: keyof typeof roles, { onStatement }: StorageOptions) {
    this.#role = roles[role];
    this.#source = new DataSource({
      type: 'sqlite',
      database: path,
      driver: quietDriver,
      flags: this.#role.flags,
      entities,
      ...statementLogger(onStatement),
    });
  }

  async open(): Promise<this> {
    await this.#source.initialize();
    for (const pragma of this.#role.pragmas) await this.query(pragma);
    if (this.#role === roles.writer) await useWriteAheadLog((sql) => this.query(sql));
    return this;
  }

  transaction<Result>(work: Work<Result>): Promise<Result> {
    const runner = withNumberedValues(this.#source.createQueryRunner());
    const commit = () => runner.query('COMMIT');
    return inTransaction(runner, { begin: this.#role.begin, commit, broken: () => this.#reopen() }, work);
  }

  query(sql: string, parameters: unknown[] = []): Promise<unknown[]> {
    return this.#source.query(sql, parameters);
  }

  async close(): Promise<void> {
    if (this.#source.isInitialized) await this.#source.destroy();
  }

  async #reopen(): Promise<void> {
    await this.close();
    await this.open();
  }
}
