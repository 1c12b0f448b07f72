import type { PoolClient, QueryConfig } from 'pg';
import { QueryFailedError, QueryResult, type QueryRunner } from 'typeorm';
import type { ManagedWork } from '../storage.ts';
import { allowOneStatement, createAutocommitManager, runInTransaction } from '../transaction-manager.ts';
import { preparedName } from './prepared-names.ts';

interface ConnectionOptions {
  onStatement?: ((sql: string) => void) | undefined;
  /** A server that hangs or is cut off never answers: the driver ends the connection after this time, which rejects its statements. */
  timeoutMs: number | undefined;
}

interface DriverResult {
  command: string;
  rows: unknown[];
  rowCount: number | null;
}

/**
 * A connection of TypeORM's pools. Statements go to the driver directly and in the order of their calls; those that do not wait for each other
 * are sent together, in one round trip.
 */
export class PostgresConnection {
  readonly #runner: QueryRunner;
  readonly #client: PoolClient;
  readonly #options: ConnectionOptions;

  /** `shared` is the query runner of all connections: the methods that do not run statements are its own. */
  constructor(shared: QueryRunner, client: PoolClient, options: ConnectionOptions) {
    this.#runner = Object.assign(Object.create(shared) as QueryRunner, {
      connect: async () => client,
      query: (sql: string, values?: unknown[], isStructured?: boolean) => this.#query(sql, values, isStructured),
    });
    this.#client = client;
    this.#options = options;
  }

  singleStatement<Result>(work: ManagedWork<Result>): Promise<Result> {
    return work(createAutocommitManager(this.#runner, allowOneStatement()));
  }

  /**
   * `begin` is sent together with the first statement if that changes nothing: were `begin` to fail, it would run outside of the transaction.
   * COMMIT is sent together with statements that were not waited for: after one that failed it rolls back.
   */
  transaction<Result>(begin: string, isReadOnly: boolean, work: ManagedWork<Result>): Promise<Result> {
    return runInTransaction(
      this.#runner,
      {
        begin: () => this.#execute(begin),
        commit: () => this.#commit(),
        // The pool drops a connection that cannot roll back.
        onRollbackFailed: async () => {},
        pipeline: { maySendBeforeBegun: (sql) => isReadOnly || /^\s*select\b/i.test(sql) },
      },
      work,
    );
  }

  /** PostgreSQL answers COMMIT with a rollback, not an error, after a failed statement. */
  async #commit(): Promise<void> {
    const { command } = await this.#execute('COMMIT');
    if (command !== 'COMMIT')
      throw new Error('A statement of this unit of work had failed, so nothing was saved. Do not swallow its error.');
  }

  /** As TypeORM's query runner, which takes several turns of the event loop for each statement. */
  async #query(sql: string, values: unknown[] | undefined, isStructured = false): Promise<unknown> {
    const { command, rows, rowCount } = await this.#execute(sql, values);
    const raw = command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows;
    return isStructured ? Object.assign(new QueryResult(), { records: rows, affected: rowCount, raw }) : raw;
  }

  async #execute(text: string, values?: unknown[]): Promise<DriverResult> {
    this.#options.onStatement?.(text);
    const { timeoutMs } = this.#options;
    const name = preparedName(text);
    const query: QueryConfig & { query_timeout?: number } = {
      text,
      ...(values && { values }),
      ...(name !== undefined && { name }),
      ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
    };
    try {
      return (await this.#client.query(query)) as DriverResult;
    } catch (error) {
      throw new QueryFailedError(text, values, error as Error);
    }
  }
}
