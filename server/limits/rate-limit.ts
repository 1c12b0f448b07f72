import { ApiError } from '../../domain/errors.ts';
import type { WindowCount, WindowCounters } from '../../domain/ports.ts';
import type { RateIdentity } from '../../site/extension.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { bucketOf } from '../auth/authenticate.ts';
import type { Identity } from '../auth/identity.ts';
import { soon } from '../http/maybe-promise.ts';
import type { Middleware } from '../http/request-context.ts';

const windowSeconds = 60;

/** The site's module may set another ceiling for an identity. */
export type RateCeiling = (identity: RateIdentity, byDefault: number) => number;

/** Counts every request against its identity before anything of it is read, so that malformed ones count too. */
export class RateLimit {
  readonly #counters: WindowCounters;
  readonly #rateCeiling: RateCeiling;

  constructor(counters: WindowCounters, rateCeiling: RateCeiling) {
    this.#counters = counters;
    this.#rateCeiling = rateCeiling;
  }

  readonly middleware: Middleware = (ctx, next) => {
    const { identity, settings } = ctx.state;
    const ceiling = ceilingOf(identity, settings, this.#rateCeiling);
    const bucket = bucketFor(identity);
    // Failed credentials count towards the lock-out and nowhere else.
    const isFree = identity.kind === 'refused' || identity.kind === 'locked_out';
    return soon(isFree ? this.#counters.peek(bucket, windowSeconds) : this.#counters.hit(bucket, windowSeconds), (window) => {
      const [policyName, policy, rateName, rate] = headersOf(identity, ceiling, window);
      ctx.res.setHeader(policyName, policy);
      ctx.res.setHeader(rateName, rate);
      if (identity.kind === 'locked_out') throw identity.error;
      if (!isFree && window.count > ceiling) throw new ApiError('svc_api_rate_limited', { data: { retry_after: windowSeconds } });
      return next();
    });
  };

  /** Counts a request that has nothing to wait for, and gives the headers that say so. Counts nothing where it would be refused. */
  hitUnlessReached(identity: Identity, settings: Settings): RateHeaders | undefined {
    const ceiling = ceilingOf(identity, settings, this.#rateCeiling);
    const bucket = bucketFor(identity);
    const before = this.#counters.peek(bucket, windowSeconds);
    if (before instanceof Promise || before.count >= ceiling) return undefined;
    const window = this.#counters.hit(bucket, windowSeconds);
    return window instanceof Promise ? undefined : headersOf(identity, ceiling, window);
  }
}

const bucketFor = (identity: Identity): string => `requests:${bucketOf(identity)}`;

function ceilingOf(identity: Identity, { limits }: Settings, rateCeiling: RateCeiling): number {
  if (identity.kind !== 'caller') return rateCeiling({ kind: 'anonymous' }, limits.anonymous);
  const { keyId, user } = identity.caller;
  const rated: RateIdentity = keyId === null ? { kind: 'user', userId: user.id } : { kind: 'key', keyId, userId: user.id };
  return rateCeiling(rated, limits.authenticated);
}

type RateHeaders = readonly ['RateLimit-Policy', string, 'RateLimit', string];

/** The IETF draft's form: `"auth";q=120;w=60` and `"auth";r=87;t=23`. */
function headersOf({ kind }: Identity, ceiling: number, { count, secondsLeft }: WindowCount): RateHeaders {
  const policy = kind === 'caller' ? 'auth' : 'anonymous';
  return [
    'RateLimit-Policy',
    `"${policy}";q=${ceiling};w=${windowSeconds}`,
    'RateLimit',
    `"${policy}";r=${Math.max(ceiling - count, 0)};t=${secondsLeft}`,
  ];
}
