import { type Clock, systemClock } from '../../domain/clock.ts';
import { dayOf, endOfDay, startOfDay } from '../../domain/dates.ts';
import type { Settings } from '../../site/settings/settings.ts';
import type { Identity } from '../auth/identity.ts';
import type { Middleware, RequestContext, RequestState, SerializedResponse } from '../http/request-context.ts';
import { VersionedLru } from './versioned-lru.ts';

interface CachedResponse extends SerializedResponse {
  readonly settings: Settings;
  readonly day: DaySpan;
}

/** From the first millisecond of a day to the first of the next. */
interface DaySpan {
  readonly from: number;
  readonly until: number;
}

const maxBytes = 32 * 2 ** 20;

/** Far longer than any URL with a meaning. */
const maxKeyLength = 1000;

/** Most responses are asked for once. Storing those costs more than it saves. */
const maxAskedKeys = 10_000;

/** Estimated memory of an entry beside its key and body. */
const entryOverheadBytes = 1000;

/**
 * Serves a GET response again while nothing has changed that it follows from: the data, the settings, the caller and the store's day.
 * A response is stored when it is asked for the second time.
 * A lookup costs a read of shared memory on SQLite. On PostgreSQL it would cost a query, so nothing is cached there.
 */
export class ResponseCache {
  readonly #responses = new VersionedLru<CachedResponse>({ maxSize: maxBytes, graceMs: 0 });
  readonly #askedKeys = new Set<string>();
  readonly #clock: Clock;
  #today: (DaySpan & { settings: Settings }) | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  readonly middleware: Middleware = async (ctx, next) => {
    const { state } = ctx;
    if (!isCacheable(ctx)) return next();
    const key = keyOf(ctx);
    const cached = this.#find(key, state);
    if (cached) return sendResponse(ctx, cached);
    await next();
    if (state.cacheable && key.length <= maxKeyLength && this.#wasAsked(key)) this.#store(key, state.cacheable, state);
  };

  #wasAsked(key: string): boolean {
    if (this.#askedKeys.has(key)) return true;
    if (this.#askedKeys.size >= maxAskedKeys) this.#askedKeys.clear();
    this.#askedKeys.add(key);
    return false;
  }

  #find(key: string, { dataVersion, settings }: RequestState): CachedResponse | undefined {
    const cached = this.#responses.get(key, dataVersion);
    return cached && cached.settings === settings && isWithin(cached.day, this.#clock.now()) ? cached : undefined;
  }

  #store(key: string, response: SerializedResponse, { dataVersion, settings }: RequestState): void {
    const size = key.length + response.body.length + entryOverheadBytes;
    this.#responses.set(key, dataVersion, { ...response, settings, day: this.#dayOf(settings) }, size);
  }

  #dayOf(settings: Settings): DaySpan {
    const now = this.#clock.now();
    if (this.#today?.settings !== settings || !isWithin(this.#today, now)) this.#today = { settings, ...daySpan(now, settings) };
    return this.#today;
  }
}

/** Sends it without Koa, whose `ctx.set` and `ctx.body` take longer than the rest of a cached response. */
export function sendResponse(ctx: RequestContext, { operation, status, headers, body }: SerializedResponse): void {
  ctx.state.operation = operation;
  ctx.res.writeHead(status, Object.assign(ctx.state.headers, headers, { 'Content-Length': Buffer.byteLength(body) }));
  ctx.respond = false;
  ctx.res.end(body);
}

/** Rejected credentials are answered with an error, also by operations that need none. */
const isCacheable = ({ method, state: { identity, dataVersion } }: RequestContext): boolean =>
  method === 'GET' && dataVersion.version !== null && (identity.kind === 'caller' || identity.kind === 'anonymous');

const keyOf = ({ req, state: { identity } }: RequestContext): string => `${callerKey(identity)} ${req.url}`;

function callerKey(identity: Identity): string {
  if (identity.kind !== 'caller') return '-';
  const { keyId, user, method } = identity.caller;
  return keyId === null ? `${method} ${user.id}` : `key ${keyId}`;
}

/** Also false where the clock was set back to the day before. */
const isWithin = ({ from, until }: DaySpan, now: number): boolean => from <= now && now < until;

function daySpan(now: number, { store: { timezone } }: Settings): DaySpan {
  const day = dayOf(now, timezone);
  return { from: startOfDay(day, timezone), until: endOfDay(day, timezone) };
}
