import { QueryFailedError } from 'typeorm';

/**
 * What a driver said, without the values that were sent: those hold hashes and addresses, and everything that hangs on an error
 * ends up in a log.
 */
export class DatabaseError extends Error {
  /** SQLSTATE on PostgreSQL, SQLITE_… on SQLite. */
  readonly code: string | undefined;
  readonly statement: string;

  constructor(failure: QueryFailedError) {
    super(failure.message);
    this.name = 'DatabaseError';
    this.code = codeOf(failure);
    this.statement = failure.query;
    if (failure.stack) this.stack = failure.stack;
  }
}

export const codeOf = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
};

/** Two rows of which there may be one. */
export const isUniqueViolation = (error: unknown): boolean =>
  codeOf(error) === '23505' || (codeOf(error) === 'SQLITE_CONSTRAINT' && error instanceof Error && error.message.includes('UNIQUE'));

export const withoutValues = (error: unknown): unknown => (error instanceof QueryFailedError ? new DatabaseError(error) : error);
