/**
 * How long anything waits for the database in a process that runs on by itself. A request should be told before its client gives up, and a
 * worker must not wait for ever for a server that was cut off.
 */
export const databaseTimeoutMs = 10_000;
