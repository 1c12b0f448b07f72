import type { PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';

/** The server itself is given a little less, so that it can end the statement before we have to end the connection. */
const headStart = 0.9;

/** Said with the beginning of a transaction, so that it takes no round trip of its own. It ends with it. */
export const limitStatements = (begin: string, patienceMs: number | undefined): string =>
  patienceMs === undefined ? begin : `${begin}; SET LOCAL statement_timeout = ${Math.ceil(patienceMs * headStart)}`;

/**
 * A connection on which nothing is waited for longer than this. A server that hangs, or is cut off, tells nobody that it will not answer:
 * the connection is ended then, and with it what was asked on it.
 */
export function limited(runner: QueryRunner, patienceMs: number | undefined): QueryRunner {
  if (patienceMs === undefined) return runner;
  const query = (...statement: Parameters<QueryRunner['query']>): Promise<unknown> =>
    inTime(runner, patienceMs, () => Reflect.apply(runner.query, runner, statement));
  return Object.assign(Object.create(runner) as QueryRunner, { query });
}

/** Rejects with what the connection says of its end. */
export async function inTime<Result>(runner: QueryRunner, patienceMs: number | undefined, ask: () => Promise<Result>): Promise<Result> {
  if (patienceMs === undefined) return ask();
  // Waiting for a connection has a limit of its own.
  const connection: PoolClient & { end(): Promise<void> } = await runner.connect();
  const timer = setTimeout(() => void connection.end().catch(() => {}), patienceMs);
  try {
    return await ask();
  } finally {
    clearTimeout(timer);
  }
}
