import { ApiError } from '../../domain/errors.ts';
import type { WindowCount, WindowCounters } from '../../domain/window-counters.ts';
import type { RateIdentity } from '../../site/extension.ts';
import type { Settings } from '../../site/settings/settings.ts';
import type { Identity } from '../auth/identity.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';

const windowSeconds = 60;

/** The site's module may set another ceiling for an identity. */
export type RateCeiling = (identity: RateIdentity, byDefault: number) => number;

/** Counts every request against its caller before it is parsed, so that malformed ones count too. */
export class RateLimit {
  readonly #counters: WindowCounters;
  readonly #rateCeiling: RateCeiling;

  constructor(counters: WindowCounters, rateCeiling: RateCeiling) {
    this.#counters = counters;
    this.#rateCeiling = rateCeiling;
  }

  readonly middleware: Middleware = async (ctx, next) => {
    const window = await this.#count(ctx.state);
    const { identity, settings } = ctx.state;
    const ceiling = ceilingOf(identity, settings, this.#rateCeiling);
    setHeaders(ctx, ceiling, window);
    if (identity.kind === 'locked_out') throw identity.error;
    if (!isFree(identity) && window.count > ceiling) throw new ApiError('svc_api_rate_limited', { data: { retry_after: windowSeconds } });
    return next();
  };

  async #count(state: RequestState): Promise<WindowCount> {
    const { identity, lockedOut } = state;
    const bucket = `requests:${bucketOf(identity)}`;
    if (isFree(identity)) return this.#counters.peek(bucket, windowSeconds);
    const hit = this.#counters.hit(bucket, windowSeconds);
    if (!lockedOut) return hit;
    const [window, error] = await Promise.all([hit, lockedOut]);
    if (!error) return window;
    await this.#counters.undoHit(bucket, windowSeconds);
    state.identity = { kind: 'locked_out', error };
    return this.#counters.peek(`requests:${bucketOf(state.identity)}`, windowSeconds);
  }
}

/** Rejected credentials count towards the lock-out and nowhere else. */
const isFree = ({ kind }: Identity): boolean => kind === 'rejected' || kind === 'locked_out';

/** A key has a budget of its own, else the user; all anonymous callers share one. */
export function bucketOf(identity: Identity): string {
  if (identity.kind !== 'caller') return 'anonymous';
  const { keyId, user } = identity.caller;
  return keyId === null ? `user:${user.id}` : `key:${keyId}`;
}

function ceilingOf(identity: Identity, { limits }: Settings, rateCeiling: RateCeiling): number {
  if (identity.kind !== 'caller') return rateCeiling({ kind: 'anonymous' }, limits.anonymous);
  const { keyId, user } = identity.caller;
  const rated: RateIdentity = keyId === null ? { kind: 'user', userId: user.id } : { kind: 'key', keyId, userId: user.id };
  return rateCeiling(rated, limits.authenticated);
}

/** The IETF draft's form: `"auth";q=120;w=60` and `"auth";r=87;t=23`. */
function setHeaders(ctx: RequestContext, ceiling: number, { count, secondsLeft }: WindowCount): void {
  const policy = ctx.state.identity.kind === 'caller' ? 'auth' : 'anonymous';
  ctx.set('RateLimit-Policy', `"${policy}";q=${ceiling};w=${windowSeconds}`);
  ctx.set('RateLimit', `"${policy}";r=${Math.max(ceiling - count, 0)};t=${secondsLeft}`);
}
