import { ApiError } from '../../domain/errors.ts';
import type { Middleware, RequestState } from '../request.ts';
import { credentialsIn } from './credentials.ts';
import type { Identification } from './identify.ts';
import { anonymous, type Identity } from './identity.ts';
import type { Lockout } from './lockout.ts';

/**
 * Identifies the caller, or notes why not. A refusal is not answered here: whether the path is served at all comes first, so that
 * a switched-off endpoint looks the same to everybody.
 */
export function authenticate(identification: Identification, lockout: Lockout, allowPlainHttp: boolean): Middleware {
  return async ({ state, headers }, next) => {
    const credentials = credentialsIn(headers);
    const isSent = credentials.kind === 'key' || credentials.kind === 'basic';
    // Spec, "Authentication": a key sent over plain HTTP is answered 401. It is not even looked at.
    if (isSent && !state.isSecure && !allowPlainHttp) state.identity = { kind: 'refused', error: new ApiError('svc_api_https_required') };
    else if (isSent) state.identity = await withLockout(lockout, state, () => identification.identify(credentials, state.settings));
    // A session has all the rights of its user, so its cookie is worth no less than a key. It is not refused but unknown.
    else if (credentials.kind === 'session' && !state.isSecure && !allowPlainHttp) state.identity = anonymous;
    else state.identity = await identification.identify(credentials, state.settings);
    await next();
  };
}

async function withLockout(lockout: Lockout, { address, settings }: RequestState, identify: () => Promise<Identity>): Promise<Identity> {
  const before = await lockout.check(address, settings);
  if (before) return { kind: 'locked_out', error: before };
  const identity = await identify();
  const after = identity.kind === 'refused' ? await lockout.failed(address, settings) : null;
  return after ? { kind: 'locked_out', error: after } : identity;
}

/** Who pays for a request: a key, else a user, else everybody without a name together. */
export function bucketOf(identity: Identity): string {
  if (identity.kind !== 'caller') return 'anonymous';
  const { keyId, user } = identity.caller;
  return keyId === null ? `user:${user.id}` : `key:${keyId}`;
}
