import type { Pool } from 'pg';

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
