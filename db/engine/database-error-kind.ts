import { codeOf } from './database-error.ts';

/**
 * What is wrong with the database itself, whoever asks and whatever for: it does not answer, others are in the way, there is no room, it
 * may not be written to, or it is damaged.
 */
export type Trouble = 'away' | 'busy' | 'full' | 'read-only' | 'damaged';

const byName: Record<string, Trouble> = {
  TOO_BUSY: 'busy',
  SQLITE_BUSY: 'busy',
  SQLITE_LOCKED: 'busy',
  SQLITE_FULL: 'full',
  SQLITE_READONLY: 'read-only',
  SQLITE_PERM: 'read-only',
  SQLITE_IOERR: 'away',
  SQLITE_CANTOPEN: 'away',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_NOTADB: 'damaged',
};

/** SQLSTATE, by code or by class. 40001 and 40P01 come here only after all attempts have met others. */
const ofPostgres: [RegExp, Trouble][] = [
  [/^(08|57P)/, 'away'],
  [/^(40001|40P01|53300|55P03|57014)$/, 'busy'],
  [/^53/, 'full'],
  [/^25006$/, 'read-only'],
  [/^XX00[12]$/, 'damaged'],
];

const ofNetwork = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** What the driver and TypeORM say without a code when a connection breaks, or none is to be had. */
const withoutCode =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Query runner already released|Client .* not queryable)/;

/** Others were in the way for longer than anybody should wait. */
export class TooBusy extends Error {
  readonly code = 'TOO_BUSY';
}

/** Null for everything else: a defect, or something about the one statement. */
export function troubleOf(error: unknown): Trouble | null {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && withoutCode.test(error.message) ? 'away' : null;
  if (ofNetwork.test(code)) return 'away';
  return byName[code] ?? ofPostgres.find(([codes]) => codes.test(code))?.[1] ?? null;
}
