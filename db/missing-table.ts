import { ApiError } from '../domain/errors.ts';
import { codeOf } from './database-error.ts';

const undefinedTable = '42P01';

const isMissingTable = (error: unknown): boolean =>
  codeOf(error) === undefinedTable || (codeOf(error) === 'SQLITE_ERROR' && error instanceof Error && /no such table/.test(error.message));

/** Decisions, "Availability": where the table behind a feature is missing, the feature is, and the rest of the service is not broken. */
export async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (isMissingTable(error)) throw new ApiError('svc_api_unavailable', { log: String(error) });
    throw error;
  }
}
