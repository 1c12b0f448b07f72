import { ApiError } from '../../domain/errors.ts';
import type { User } from '../../domain/users/user.ts';
import type { Middleware, RequestContext } from '../http/request-context.ts';
import { csrfHeader, isSameSecret } from './credentials.ts';
import type { IdentifiedSession } from './identity.ts';

// For addresses of the console outside of the API.

export const noStore: Middleware = (ctx, next) => {
  ctx.vary('Cookie');
  ctx.set('Cache-Control', 'no-store');
  return next();
};

/** Only a browser that is signed in: keys and application passwords are for the API. */
export function requireSession({ state: { identity } }: RequestContext): { user: User; session: IdentifiedSession } {
  if (identity.kind === 'rejected') throw identity.error;
  if (identity.kind !== 'caller' || !identity.session) throw new ApiError('svc_api_unauthorized');
  return { user: identity.caller.user, session: identity.session };
}

/** Where a stolen cookie must not be enough. */
export function requireConfirmedPassword({ isConfirmed }: IdentifiedSession): void {
  if (!isConfirmed) throw new ApiError('svc_api_confirm_password');
}

export function requireCsrfToken(ctx: RequestContext, { csrfToken }: IdentifiedSession): void {
  if (!isSameSecret(csrfToken, ctx.get(csrfHeader))) throw new ApiError('svc_api_csrf_failed');
}
