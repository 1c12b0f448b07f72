import { ApiError } from '../../domain/errors.ts';
import { errorCode } from '../engine/database-error.ts';

const undefinedTable = '42P01';

/** The name of the table whose absence made a statement fail; null where it failed for another reason. */
export function missingTableOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (errorCode(error) === undefinedTable) return /"([^"]+)"/.exec(error.message)?.[1] ?? 'behind it';
  return errorCode(error) === 'SQLITE_ERROR' ? (/no such table: (?:main\.)?(\S+)/.exec(error.message)?.[1] ?? null) : null;
}

/** Where a table is missing, its feature is unavailable and the rest of the service works. */
export async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (missingTableOf(error) !== null) throw new ApiError('svc_api_unavailable', { log: String(error) });
    throw error;
  }
}
