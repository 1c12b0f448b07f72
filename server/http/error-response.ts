import { type DatabaseErrorKind, databaseErrorKind } from '../../db/engine/database-error.ts';
import { ApiError } from '../../domain/errors.ts';
import { readCredentials } from '../auth/credentials.ts';
import type { Middleware, RequestContext } from './request-context.ts';

/** Turns every error into a response. A defect is logged with its stack; the client learns nothing about it. */
export const sendErrors: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const known = toApiError(ctx, error);
    setErrorStatus(ctx, known);
    ctx.body = known.body;
  }
};

/** What the client learns about an error. Logs what it does not. */
export function toApiError({ state: { id: request, log } }: RequestContext, error: unknown): ApiError {
  if (!(error instanceof ApiError)) log.error({ request, err: error }, 'a request failed');
  else if (error.details.log !== undefined) log.warn({ request, code: error.code, reason: error.details.log }, 'a request was refused');
  return error instanceof ApiError ? error : (toDatabaseError(error) ?? new ApiError('svc_api_db_error'));
}

/** The status and its headers. */
export function setErrorStatus(ctx: RequestContext, error: ApiError): void {
  ctx.status = error.status;
  const retryAfter = error.details.data?.retry_after;
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  if (error.status === 401) ctx.set('WWW-Authenticate', getChallenge(ctx));
}

const bearer = 'Bearer realm="affiliate-api"';

/** Not "Basic" to a page whose session has ended: the browser would open its own password dialog. */
const getChallenge = (ctx: RequestContext): string =>
  readCredentials(ctx).kind === 'session' ? bearer : `${bearer}, Basic realm="affiliate-api", charset="UTF-8"`;

export function noRouteError(ctx: RequestContext, allow: readonly string[] = []): ApiError {
  if (allow.length > 0) ctx.set('Allow', allow.join(', '));
  return new ApiError('rest_no_route');
}

/** Only kinds after which it is certain that nothing was changed, so that the caller can repeat the request. */
const retryable: Partial<Record<DatabaseErrorKind, { message: string; retryAfter: number }>> = {
  busy: { message: 'The database is busy. Nothing was changed; try again in a moment.', retryAfter: 2 },
  full: { message: 'The database has no room left. Nothing was changed.', retryAfter: 60 },
  'read-only': { message: 'The database cannot be written to. Nothing was changed.', retryAfter: 60 },
};

/** The error for a problem of the database itself, which is no defect of the service. Null for any other error. */
function toDatabaseError(error: unknown): ApiError | null {
  const kind = databaseErrorKind(error);
  // A commit may have been made that was not confirmed any more, so the message does not say that nothing was changed.
  if (kind === 'unreachable') return new ApiError('svc_api_db_unreachable', { data: { retry_after: 5 } });
  const known = kind && retryable[kind];
  if (!known) return null;
  return new ApiError('svc_api_overloaded', { message: known.message, data: { retry_after: known.retryAfter } });
}
