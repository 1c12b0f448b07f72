import { QueryFailedError } from 'typeorm';

/** A driver's error without the parameter values of its statement: they contain hashes and addresses, and errors are logged. */
export class DatabaseError extends Error {
  /** SQLSTATE on PostgreSQL, SQLITE_… on SQLite. */
  readonly code: string | undefined;
  readonly statement: string;

  constructor(failure: QueryFailedError) {
    super(failure.message);
    this.name = 'DatabaseError';
    this.code = errorCode(failure);
    this.statement = failure.query;
    if (failure.stack) this.stack = failure.stack;
  }
}

/** A wait for a connection or for the write queue timed out. */
export class TooBusy extends Error {
  readonly code = 'TOO_BUSY';
}

export const errorCode = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
};

export const isUniqueViolation = (error: unknown): boolean =>
  errorCode(error) === '23505' || (errorCode(error) === 'SQLITE_CONSTRAINT' && error instanceof Error && error.message.includes('UNIQUE'));

export const redactValues = (error: unknown): unknown => (error instanceof QueryFailedError ? new DatabaseError(error) : error);

/** What is wrong with the database as a whole, as opposed to a defect or a failure of one statement. */
export type DatabaseErrorKind = 'unreachable' | 'busy' | 'full' | 'read-only' | 'damaged';

const kindByCode: Record<string, DatabaseErrorKind> = {
  TOO_BUSY: 'busy',
  SQLITE_BUSY: 'busy',
  SQLITE_LOCKED: 'busy',
  SQLITE_INTERRUPT: 'busy',
  SQLITE_FULL: 'full',
  SQLITE_READONLY: 'read-only',
  SQLITE_PERM: 'read-only',
  SQLITE_IOERR: 'unreachable',
  SQLITE_CANTOPEN: 'unreachable',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_NOTADB: 'damaged',
};

/** SQLSTATE, by code or by class. 40001 and 40P01 reach this table only after all retries have failed. */
const kindBySqlState: [RegExp, DatabaseErrorKind][] = [
  [/^(08|57P)/, 'unreachable'],
  [/^(40001|40P01|53300|55P03|57014)$/, 'busy'],
  [/^53/, 'full'],
  [/^25006$/, 'read-only'],
  [/^XX00[12]$/, 'damaged'],
];

const networkCode = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Messages that the driver and TypeORM raise without a code when a connection breaks or cannot be opened. */
const connectionMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Query runner already released|Client .* not queryable)/;

/** Returns null for a defect and for errors that concern one statement only. */
export function databaseErrorKind(error: unknown): DatabaseErrorKind | null {
  const code = errorCode(error);
  if (code === undefined) return error instanceof Error && connectionMessage.test(error.message) ? 'unreachable' : null;
  if (networkCode.test(code)) return 'unreachable';
  return kindByCode[code] ?? kindBySqlState.find(([codes]) => codes.test(code))?.[1] ?? null;
}
