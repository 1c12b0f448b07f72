import { ApiError } from '../../domain/errors.ts';
import type { WindowCount, WindowCounters } from '../../domain/window-counters.ts';
import type { RateIdentity } from '../../site/extension.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { acceptsSession } from '../auth/accepts-session.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { type Credentials, readCredentials } from '../auth/credentials.ts';
import { anonymous, type Identity } from '../auth/identity.ts';
import type { Lockout } from '../auth/lockout.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';

const windowSeconds = 60;

/** The site's module may set another ceiling for an identity. */
export type RateCeiling = (identity: RateIdentity, byDefault: number) => number;

export interface AdmitParts {
  authenticator: Pick<Authenticator, 'identify' | 'identifyCached'>;
  lockout: Lockout;
  counters: WindowCounters;
  rateCeiling: RateCeiling;
  allowPlainHttp: boolean;
}

interface Admission {
  identity: Identity;
  /** Of the budget against which the request counts. */
  window: WindowCount;
  lockedOut?: ApiError;
}

/**
 * Identifies the caller and counts the request, before it is parsed, so that malformed ones count too. Throws 429 for an address that is
 * locked out, and for a budget that is used up. Rejected credentials are not answered here: whether the path is served
 * at all is decided first, so that a switched-off endpoint looks the same to every caller.
 */
export function admit(parts: AdmitParts): Middleware {
  return async (ctx, next) => {
    const { identity, window, lockedOut } = await identifyAndCount(parts, readCredentials(ctx), ctx);
    ctx.state.identity = identity;
    const ceiling = ceilingOf(identity, ctx.state.settings, parts.rateCeiling);
    addHeaders(ctx.state, ceiling, window);
    if (lockedOut) throw lockedOut;
    if (identity.kind !== 'rejected' && window.count > ceiling)
      throw new ApiError('svc_api_rate_limited', { data: { retry_after: windowSeconds } });
    return next();
  };
}

async function identifyAndCount(parts: AdmitParts, credentials: Credentials, ctx: RequestContext): Promise<Admission> {
  const { state } = ctx;
  if (credentials.kind === 'key' || credentials.kind === 'basic') {
    // A key sent over plain HTTP is answered 401, also on this machine. It is not even looked up.
    if (!state.isSecure && !parts.allowPlainHttp) return count(parts, { kind: 'rejected', error: new ApiError('svc_api_https_required') });
    return checkLockoutAndCount(parts, credentials, state);
  }
  // A session has all the rights of its user, so its cookie is worth no less than a key. It is not rejected but ignored.
  if (credentials.kind === 'session' && !acceptsSession(ctx, parts.allowPlainHttp)) return count(parts, anonymous);
  return count(parts, await parts.authenticator.identify(credentials, state));
}

/** A key whose owner is known is counted while the lock-out is checked: on PostgreSQL both are one query. A lock-out takes that back. */
async function checkLockoutAndCount(parts: AdmitParts, credentials: Credentials, state: RequestState): Promise<Admission> {
  const { authenticator, lockout, counters } = parts;
  const { address, settings } = state;
  const cached = credentials.kind === 'key' ? authenticator.identifyCached(credentials.token, state) : null;
  const [locked, counted] = await Promise.all([lockout.check(address, settings), cached && count(parts, cached)]);
  if (locked && cached) await counters.undoHit(requestsOf(cached), windowSeconds);
  if (locked) return lockOut(parts, locked);
  if (counted) return counted;

  const identity = await authenticator.identify(credentials, state);
  const lockedNow = identity.kind === 'rejected' ? await lockout.recordFailure(address, settings) : null;
  return lockedNow ? lockOut(parts, lockedNow) : count(parts, identity);
}

/** Rejected credentials count towards the lock-out and nowhere else. */
async function count({ counters }: AdmitParts, identity: Identity): Promise<Admission> {
  const bucket = requestsOf(identity);
  return {
    identity,
    window: await (identity.kind === 'rejected' ? counters.peek(bucket, windowSeconds) : counters.hit(bucket, windowSeconds)),
  };
}

const lockOut = async ({ counters }: AdmitParts, lockedOut: ApiError): Promise<Admission> => ({
  identity: anonymous,
  window: await counters.peek(requestsOf(anonymous), windowSeconds),
  lockedOut,
});

/** A key has a budget of its own, else the user; all anonymous callers share one. */
export function bucketOf(identity: Identity): string {
  if (identity.kind !== 'caller') return 'anonymous';
  const { keyId, user } = identity.caller;
  return keyId === null ? `user:${user.id}` : `key:${keyId}`;
}

const requestsOf = (identity: Identity): string => `requests:${bucketOf(identity)}`;

function ceilingOf(identity: Identity, { limits }: Settings, rateCeiling: RateCeiling): number {
  if (identity.kind !== 'caller') return rateCeiling({ kind: 'anonymous' }, limits.anonymous);
  const { keyId, user } = identity.caller;
  const rated: RateIdentity = keyId === null ? { kind: 'user', userId: user.id } : { kind: 'key', keyId, userId: user.id };
  return rateCeiling(rated, limits.authenticated);
}

/** The IETF draft's form: `"auth";q=120;w=60` and `"auth";r=87;t=23`. */
function addHeaders({ headers, identity }: RequestState, ceiling: number, { count: used, secondsLeft }: WindowCount): void {
  const policy = identity.kind === 'caller' ? 'auth' : 'anonymous';
  headers['RateLimit-Policy'] = `"${policy}";q=${ceiling};w=${windowSeconds}`;
  headers.RateLimit = `"${policy}";r=${Math.max(ceiling - used, 0)};t=${secondsLeft}`;
}
