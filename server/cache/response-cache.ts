import { type Clock, systemClock } from '../../domain/clock.ts';
import { dayOf, endOfDay, startOfDay } from '../../domain/dates.ts';
import type { Settings } from '../../site/settings/settings.ts';
import type { Identity } from '../auth/identity.ts';
import type { Operation } from '../contract/document.ts';
import type { Middleware, RequestState } from '../http/request-context.ts';
import { type Mark, Remembered, type Source } from './versioned-lru.ts';

/** An answer as it went out. */
export interface LastingReply {
  readonly operation: Operation;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As text: Node then sends it together with the headers. */
  readonly body: string;
}

/** Everything about a request that its answer may depend on. */
export interface Asked extends Pick<RequestState, 'identity' | 'settings' | 'origin'> {
  readonly method: string;
  readonly url: string | undefined;
}

interface Kept extends LastingReply {
  readonly settings: Settings;
  readonly day: Day;
}

/** From its first moment to the first of the next. */
interface Day {
  readonly from: number;
  readonly until: number;
}

const mostBytes = 32 * 2 ** 20;

/** Far more than any address that means something. */
const longestKey = 1000;

/**
 * Answers that follow from the data, the settings, the caller and the store's day alone, given again while none of them has changed. Most
 * clients ask for the same again and again; what it takes to know that nothing has changed is a look at shared memory. On PostgreSQL it
 * would take a question to the database, so there nothing is kept.
 */
export class LastingReplies {
  readonly #kept: Remembered<Kept>;
  readonly #clock: Clock;
  #today: (Day & { settings: Settings }) | undefined;

  constructor(source: Source, clock: Clock = systemClock) {
    this.#kept = new Remembered(source, { most: mostBytes, graceMilliseconds: 0 });
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#kept.isEmpty;
  }

  /** Before anybody is identified: what is kept follows from the caller's role, too, and must not be taken for newer than that. */
  readonly note: Middleware = (ctx, next) => {
    ctx.state.mark = this.#kept.mark();
    return next();
  };

  find(asked: Asked): LastingReply | undefined {
    if (!isEligible(asked)) return undefined;
    const kept = this.#kept.get(keyOf(asked));
    return kept && kept.settings === asked.settings && isIn(kept.day, this.#clock.now()) ? kept : undefined;
  }

  keep(asked: Asked, mark: Mark, reply: LastingReply): void {
    const key = keyOf(asked);
    if (!isEligible(asked) || mark.version === null || key.length > longestKey) return;
    const { settings } = asked;
    this.#kept.set(key, mark, { ...reply, settings, day: this.#todayOf(settings) }, key.length + reply.body.length + 1000);
  }

  #todayOf(settings: Settings): Day {
    const now = this.#clock.now();
    if (this.#today?.settings !== settings || !isIn(this.#today, now)) this.#today = { settings, ...dayAround(now, settings) };
    return this.#today;
  }
}

/** Also false where the clock was set back to the day before. */
const isIn = ({ from, until }: Day, now: number): boolean => from <= now && now < until;

function dayAround(now: number, { store: { timezone } }: Settings): Day {
  const day = dayOf(now, timezone);
  return { from: startOfDay(day, timezone), until: endOfDay(day, timezone) };
}

/** Whoever sent credentials that were refused is told so, also where nobody needs any. */
const isEligible = ({ method, identity }: Asked): boolean =>
  method === 'GET' && (identity.kind === 'caller' || identity.kind === 'anonymous');

const keyOf = ({ identity, origin, url }: Asked): string => `${callerOf(identity)} ${origin}${url}`;

function callerOf(identity: Identity): string {
  if (identity.kind !== 'caller') return '-';
  const { keyId, user, method } = identity.caller;
  return keyId === null ? `${method} ${user.id}` : `key ${keyId}`;
}
