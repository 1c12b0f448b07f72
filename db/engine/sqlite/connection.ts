import sqlite3 from 'sqlite3';
import { DataSource, type QueryRunner } from 'typeorm';
import { entities } from '../../entities/index.ts';
import { statementLogger } from '../statement-logger.ts';
import type { StorageOptions, Work } from '../storage.ts';
import { inTransaction } from '../transaction-manager.ts';
import { Statements } from './prepared-statements.ts';
import { useWriteAheadLog } from './write-ahead-log.ts';

/** TypeORM asks for `verbose()`, which captures a stack for every call and halves the writes. */
const quietDriver = Object.assign(Object.create(sqlite3) as typeof sqlite3, { verbose: () => quietDriver });

// Another process, the command line say, may hold the write lock meanwhile; a long import is over in less.
const longestWaitMs = 10_000;

const roles = {
  writer: {
    flags: sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_FULLMUTEX,
    pragmas: ['pragma synchronous = full', 'pragma foreign_keys = on'],
    // A deferred BEGIN fails when two processes turn from reading to writing at once.
    begin: 'BEGIN IMMEDIATE',
  },
  reader: {
    flags: sqlite3.OPEN_READONLY | sqlite3.OPEN_FULLMUTEX,
    pragmas: [] as string[],
    begin: 'BEGIN DEFERRED',
  },
};

/**
 * `$1` is a name to SQLite, looked for among all names before it: a list of thousands takes seconds. A numbered `?1` is found at once, and
 * stands for the first value wherever in the statement it comes first.
 */
const numbered = (sql: string): string => sql.replaceAll(/\$(\d+)/g, '?$1');

/** TypeORM's own statements want more than rows, and go their own way; all others take the short one. */
function withStatements(runner: QueryRunner, statements: Statements): QueryRunner {
  const query = (sql: string, values?: unknown[], isStructured?: boolean): Promise<unknown> =>
    isStructured ? Reflect.apply(runner.query, runner, [numbered(sql), values, true]) : statements.all(numbered(sql), values);
  return Object.assign(Object.create(runner) as QueryRunner, { query });
}

/** One handle on the file. Whoever uses it has it alone. */
export class SqliteConnection {
  readonly #role: (typeof roles)['writer'];
  readonly #source: DataSource;
  readonly #onStatement: StorageOptions['onStatement'];
  readonly #busyTimeoutMs: number;
  #statements: Statements | undefined;
  #isBroken = false;

  constructor(path: string, role: keyof typeof roles, { onStatement, patienceMs = longestWaitMs }: StorageOptions) {
    this.#role = roles[role];
    this.#busyTimeoutMs = Math.min(patienceMs, longestWaitMs);
    this.#onStatement = onStatement;
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
    const { databaseConnection } = this.#source.driver as unknown as { databaseConnection: sqlite3.Database };
    this.#statements = new Statements(databaseConnection, this.#onStatement);
    for (const pragma of [`pragma busy_timeout = ${this.#busyTimeoutMs}`, ...this.#role.pragmas]) await this.query(pragma);
    if (this.#role === roles.writer) await useWriteAheadLog((sql) => this.query(sql));
    return this;
  }

  async transaction<Result>(work: Work<Result>): Promise<Result> {
    // It could not be opened again after it broke, for want of room say. There may be some by now.
    if (this.#isBroken) await this.#reopen();
    const runner = withStatements(this.#source.createQueryRunner(), this.#open());
    const commit = () => runner.query('COMMIT');
    return inTransaction(runner, { begin: this.#role.begin, commit, broken: () => this.#reopen() }, work);
  }

  query(sql: string, values: unknown[] = []): Promise<unknown[]> {
    return this.#open().all(numbered(sql), values);
  }

  async close(): Promise<void> {
    await this.#statements?.end();
    this.#statements = undefined;
    if (this.#source.isInitialized) await this.#source.destroy();
  }

  #open(): Statements {
    if (!this.#statements) throw new Error('This connection is not open yet.');
    return this.#statements;
  }

  async #reopen(): Promise<void> {
    this.#isBroken = true;
    await this.close();
    await this.open();
    this.#isBroken = false;
  }
}
