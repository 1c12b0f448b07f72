import type { Pool } from 'pg';

/** The server's limit is a little lower than ours, so that it cancels the statement before we end the connection. */
const serverTimeoutMs = (timeoutMs: number): number => Math.ceil(timeoutMs * 0.9);

/** Sets the limit, and locks, together with the beginning of a transaction, so that neither takes a round trip of its own. */
export const beginWrite = (begin: string, timeoutMs: number | undefined, lock: string | undefined): string =>
  [begin, timeoutMs !== undefined && `SET LOCAL statement_timeout = ${serverTimeoutMs(timeoutMs)}`, lock].filter(Boolean).join('; ');

/** Sets the limit once for each connection of a pool. */
export function limitStatements(pool: Pool, timeoutMs: number | undefined): void {
  if (timeoutMs === undefined) return;
  // A connection that fails here fails again with its first statement.
  pool.on('connect', (client) => void client.query(`SET statement_timeout = ${serverTimeoutMs(timeoutMs)}`).catch(() => {}));
}
