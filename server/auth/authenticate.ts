import { ApiError } from '../../domain/errors.ts';
import { type Soon, soon } from '../http/maybe-promise.ts';
import type { Middleware, RequestState } from '../http/request-context.ts';
import { type Credentials, credentialsIn } from './credentials.ts';
import type { Identification } from './identify.ts';
import { anonymous, type Identity } from './identity.ts';
import type { Lockout } from './lockout.ts';

/**
 * Identifies the caller, or notes why not. A refusal is not answered here: whether the path is served at all comes first, so that
 * a switched-off endpoint looks the same to everybody.
 */
export function authenticate(identification: Identification, lockout: Lockout, allowPlainHttp: boolean): Middleware {
  const identityOf = (credentials: Credentials, state: RequestState): Soon<Identity> => {
    const isOpenToAll = !state.isSecure && !allowPlainHttp;
    const isSent = credentials.kind === 'key' || credentials.kind === 'basic';
    // Spec, "Authentication": a key sent over plain HTTP is answered 401. It is not even looked at.
    if (isSent && isOpenToAll) return { kind: 'refused', error: new ApiError('svc_api_https_required') };
    // A session has all the rights of its user, so its cookie is worth no less than a key. It is not refused but unknown.
    if (credentials.kind === 'session' && isOpenToAll) return anonymous;
    const identify = (): Soon<Identity> => identification.identify(credentials, state.settings);
    return isSent ? withLockout(lockout, state, identify) : identify();
  };
  return (ctx, next) =>
    soon(identityOf(credentialsIn(ctx.req.headers), ctx.state), (identity) => {
      ctx.state.identity = identity;
      return next();
    });
}

const withLockout = (lockout: Lockout, { address, settings }: RequestState, identify: () => Soon<Identity>): Soon<Identity> =>
  soon(lockout.check(address, settings), (before) => {
    if (before) return { kind: 'locked_out', error: before };
    return soon(identify(), (identity) => (identity.kind === 'refused' ? counted(lockout, identity, { address, settings }) : identity));
  });

async function counted(
  lockout: Lockout,
  identity: Identity,
  { address, settings }: Pick<RequestState, 'address' | 'settings'>,
): Promise<Identity> {
  const after = await lockout.failed(address, settings);
  return after ? { kind: 'locked_out', error: after } : identity;
}

/** Who pays for a request: a key, else a user, else everybody without a name together. */
export function bucketOf(identity: Identity): string {
  if (identity.kind !== 'caller') return 'anonymous';
  const { keyId, user } = identity.caller;
  return keyId === null ? `user:${user.id}` : `key:${keyId}`;
}
