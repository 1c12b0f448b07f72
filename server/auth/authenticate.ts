import { ApiError } from '../../domain/errors.ts';
import type { Middleware, RequestState } from '../http/request-context.ts';
import type { Identification } from './authenticator.ts';
import { type Credentials, credentialsIn } from './credentials.ts';
import { anonymous, type Identity } from './identity.ts';
import type { Lockout } from './lockout.ts';

/**
 * Identifies the caller, or records why not. Rejected credentials are not answered here: whether the path is served at all is decided
 * first, so that a switched-off endpoint looks the same to every caller.
 */
export function authenticate(identification: Identification, lockout: Lockout, allowPlainHttp: boolean): Middleware {
  const identityOf = (credentials: Credentials, state: RequestState): Identity | Promise<Identity> => {
    const isReadableByOthers = !state.isSecure && !allowPlainHttp;
    const isSecretSent = credentials.kind === 'key' || credentials.kind === 'basic';
    // Spec, "Authentication": a key sent over plain HTTP is answered 401. It is not even looked up.
    if (isSecretSent && isReadableByOthers) return { kind: 'refused', error: new ApiError('svc_api_https_required') };
    // A session has all the rights of its user, so its cookie is worth no less than a key. It is not rejected but ignored.
    if (credentials.kind === 'session' && isReadableByOthers) return anonymous;
    return isSecretSent ? withLockout(credentials, state) : identification.identify(credentials, state);
  };
  const withLockout = async (credentials: Credentials, state: RequestState): Promise<Identity> => {
    const { address, settings } = state;
    const before = await lockout.check(address, settings);
    if (before) return { kind: 'locked_out', error: before };
    const identity = await identification.identify(credentials, state);
    if (identity.kind !== 'refused') return identity;
    const after = await lockout.failed(address, settings);
    return after ? { kind: 'locked_out', error: after } : identity;
  };
  return async (ctx, next) => {
    ctx.state.identity = await identityOf(credentialsIn(ctx), ctx.state);
    return next();
  };
}

/** Whose budget pays for a request: a key's, else a user's, else the one that all anonymous callers share. */
export function bucketOf(identity: Identity): string {
  if (identity.kind !== 'caller') return 'anonymous';
  const { keyId, user } = identity.caller;
  return keyId === null ? `user:${user.id}` : `key:${keyId}`;
}
