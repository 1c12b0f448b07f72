import { ApiError } from '../../domain/errors.ts';
import { credentialsIn } from '../auth/credentials.ts';
import { outageOf } from './database-error-response.ts';
import type { Middleware, RequestContext } from './request-context.ts';

const byKey = 'Bearer realm="affiliate-api"';
const byKeyOrPassword = `${byKey}, Basic realm="affiliate-api", charset="UTF-8"`;

/** To a page whose session has ended a browser would answer "Basic" itself, with a window that asks for a password. */
const challengeTo = (ctx: RequestContext): string => (credentialsIn(ctx).kind === 'session' ? byKey : byKeyOrPassword);

/** Turns whatever is thrown into an error answer. A defect is told to the log with its stack, and to the client without a word of it. */
export const sendErrors: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const refusal = error instanceof ApiError ? error : (outageOf(error) ?? new ApiError('svc_api_db_error'));
    const { id: request, log } = ctx.state;
    if (!(error instanceof ApiError)) log.error({ request, err: error }, 'a request failed');
    else if (error.details.log !== undefined) log.warn({ request, code: error.code, reason: error.details.log }, 'a request was refused');
    answer(ctx, refusal);
  }
};

function answer(ctx: RequestContext, refusal: ApiError): void {
  ctx.status = refusal.status;
  ctx.body = refusal.body;
  const retryAfter = refusal.details.data?.retry_after;
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  if (refusal.status === 401) ctx.set('WWW-Authenticate', challengeTo(ctx));
}

export const noRoute = (ctx: RequestContext, allow: readonly string[] = []): ApiError => {
  if (allow.length > 0) ctx.set('Allow', allow.join(', '));
  return new ApiError('rest_no_route');
};
