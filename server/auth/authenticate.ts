import { ApiError } from '../../domain/errors.ts';
import type { Middleware, RequestState } from '../http/request-context.ts';
import type { Authenticator } from './authenticator.ts';
import { type Credentials, readCredentials } from './credentials.ts';
import { anonymous, type Identity } from './identity.ts';
import type { Lockout } from './lockout.ts';

/**
 * Identifies the caller, or records why not. Rejected credentials are not answered here: whether the path is served at all is decided
 * first, so that a switched-off endpoint looks the same to every caller.
 */
export function authenticate(authenticator: Authenticator, lockout: Lockout, allowPlainHttp: boolean): Middleware {
  const identify = (credentials: Credentials, state: RequestState): Identity | Promise<Identity> => {
    const isPlainHttp = !state.isSecure && !allowPlainHttp;
    const isSecretSent = credentials.kind === 'key' || credentials.kind === 'basic';
    // A key sent over plain HTTP is answered 401. It is not even looked up.
    if (isSecretSent && isPlainHttp) return { kind: 'rejected', error: new ApiError('svc_api_https_required') };
    // A session has all the rights of its user, so its cookie is worth no less than a key. It is not rejected but ignored.
    if (credentials.kind === 'session' && isPlainHttp) return anonymous;
    return isSecretSent ? identifyWithLockout(credentials, state) : authenticator.identify(credentials, state);
  };
  const identifyWithLockout = async (credentials: Credentials, state: RequestState): Promise<Identity> => {
    const { address, settings } = state;
    const checking = lockout.check(address, settings);
    const remembered = credentials.kind === 'key' ? authenticator.identifyCached(credentials.token, state) : null;
    if (remembered) {
      // Not awaited, so that the lock-out and the rate limit are one query.
      state.lockedOut = checking;
      return remembered;
    }
    const before = await checking;
    if (before) return { kind: 'locked_out', error: before };
    const identity = await authenticator.identify(credentials, state);
    if (identity.kind !== 'rejected') return identity;
    const after = await lockout.recordFailure(address, settings);
    return after ? { kind: 'locked_out', error: after } : identity;
  };
  return async (ctx, next) => {
    ctx.state.identity = await identify(readCredentials(ctx), ctx.state);
    return next();
  };
}
