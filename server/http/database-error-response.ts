import { type DatabaseErrorKind, databaseErrorKind } from '../../db/engine/database-error.ts';
import { ApiError } from '../../domain/errors.ts';

interface Told {
  message: string;
  retryAfter: number;
}

/** Where it is certain that nothing was changed, so that whoever was refused can send the same again. */
const told: Partial<Record<DatabaseErrorKind, Told>> = {
  busy: { message: 'The database is busy. Nothing was changed; try again in a moment.', retryAfter: 2 },
  full: { message: 'The database has no room left. Nothing was changed.', retryAfter: 60 },
  'read-only': { message: 'The database cannot be written to. Nothing was changed.', retryAfter: 60 },
};

/** What is no fault of the request and none of the code, and goes away once somebody or something has mended the database. */
export function outageOf(error: unknown): ApiError | null {
  const trouble = databaseErrorKind(error);
  // Whether a commit was made that nobody could confirm any more is not known, and is not claimed either.
  if (trouble === 'unreachable') return new ApiError('svc_api_db_unreachable', { data: { retry_after: 5 } });
  const known = trouble && told[trouble];
  if (!known) return null;
  return new ApiError('svc_api_overloaded', { message: known.message, data: { retry_after: known.retryAfter } });
}
