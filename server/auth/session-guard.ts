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

/** Where a stolen cookie must not be enough; with `code`, nor the password of a person who has a second factor. */
export function requireConfirmed({ isConfirmed, isCodeConfirmed }: IdentifiedSession, by: true | 'code'): void {
  if (!isConfirmed) throw new ApiError('svc_api_confirm_password');
  if (by === 'code' && !isCodeConfirmed) throw new ApiError('svc_api_confirm_password', { message: needsCode });
}

const needsCode = 'Confirm with a code of your app, or with a recovery code, first. The password alone is not enough here.';

export function requireCsrfToken(ctx: RequestContext, { csrfToken }: IdentifiedSession): void {
  if (!isSameSecret(csrfToken, ctx.get(csrfHeader))) throw new ApiError('svc_api_csrf_failed');
}
