import type { Pool, PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';

/** The server's limit is a little lower than ours, so that it cancels the statement before we end the connection. */
const serverTimeoutMs = (timeoutMs: number): number => Math.ceil(timeoutMs * 0.9);

/** Sets the limit together with the beginning of a transaction, so that it takes no round trip of its own. */
export const beginWithTimeout = (begin: string, timeoutMs: number | undefined): string =>
  timeoutMs === undefined ? begin : `${begin}; SET LOCAL statement_timeout = ${serverTimeoutMs(timeoutMs)}`;

/** Sets the limit once for each connection of a pool. */
export function limitStatements(pool: Pool, timeoutMs: number | undefined): void {
  if (timeoutMs === undefined) return;
  // A connection that fails here fails again with its first statement.
  pool.on('connect', (client) => void client.query(`SET statement_timeout = ${serverTimeoutMs(timeoutMs)}`).catch(() => {}));
}

/** A server that hangs or is cut off never answers: the connection is ended after the timeout, which rejects its statements. */
export function withStatementTimeout(runner: QueryRunner, timeoutMs: number | undefined): QueryRunner {
  if (timeoutMs === undefined) return runner;
  const query = (...statement: Parameters<QueryRunner['query']>): Promise<unknown> =>
    endConnectionAfter(runner, timeoutMs, () => Reflect.apply(runner.query, runner, statement));
  return Object.assign(Object.create(runner) as QueryRunner, { query });
}

export async function endConnectionAfter<Result>(
  runner: QueryRunner,
  timeoutMs: number | undefined,
  query: () => Promise<Result>,
): Promise<Result> {
  if (timeoutMs === undefined) return query();
  // The pool limits the wait for a connection.
  const connection: PoolClient & { end(): Promise<void> } = await runner.connect();
  const timer = setTimeout(() => void connection.end().catch(() => {}), timeoutMs);
  try {
    return await query();
  } finally {
    clearTimeout(timer);
  }
}
