import { type Clock, systemClock } from '../domain/clock.ts';
import { dayOf, endOfDay } from '../domain/dates.ts';
import type { Settings } from '../site/settings/settings.ts';
import type { Operation } from './contract/document.ts';
import { type Mark, Remembered, type Source } from './remembered.ts';
import type { Request } from './request.ts';

/** An answer as it went out. */
export interface LastingReply {
  readonly operation: Operation;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As text: Node then sends it together with the headers. */
  readonly body: string;
}

interface Kept extends LastingReply {
  readonly settings: Settings;
  readonly until: number;
}

const mostBytes = 32 * 2 ** 20;

/**
 * Answers that follow from the data, the settings, the caller and the store's day alone, given again while none of them has changed. Most
 * clients ask for the same again and again; what it takes to know that nothing has changed is a look at shared memory. On PostgreSQL it
 * would take a question to the database, so there nothing is kept.
 */
export class LastingReplies {
  readonly #kept: Remembered<Kept>;
  readonly #clock: Clock;
  #day: { settings: Settings; until: number } | undefined;

  constructor(source: Source, clock: Clock = systemClock) {
    this.#kept = new Remembered(source, { most: mostBytes, graceMilliseconds: 0 });
    this.#clock = clock;
  }

  mark(): Mark {
    return this.#kept.mark();
  }

  find(ctx: Request): LastingReply | undefined {
    if (!isEligible(ctx)) return undefined;
    const kept = this.#kept.get(keyOf(ctx));
    return kept && kept.settings === ctx.state.settings && this.#clock.now() < kept.until ? kept : undefined;
  }

  keep(ctx: Request, mark: Mark, reply: LastingReply): void {
    if (!isEligible(ctx) || mark.version === null) return;
    const { settings } = ctx.state;
    this.#kept.set(keyOf(ctx), mark, { ...reply, settings, until: this.#endOfToday(settings) }, reply.body.length + 1000);
  }

  #endOfToday(settings: Settings): number {
    const { timezone } = settings.store;
    const now = this.#clock.now();
    if (this.#day?.settings !== settings || this.#day.until <= now)
      this.#day = { settings, until: endOfDay(dayOf(now, timezone), timezone) };
    return this.#day.until;
  }
}

/** Whoever sent credentials that were refused is told so, also where nobody needs any. */
const isEligible = ({ method, state: { identity } }: Request): boolean =>
  method === 'GET' && (identity.kind === 'caller' || identity.kind === 'anonymous');

/** Everything about a request that its answer may depend on. */
const keyOf = ({ state, req }: Request): string => `${callerOf(state)} ${state.origin}${req.url}`;

function callerOf({ identity }: Request['state']): string {
  if (identity.kind !== 'caller') return '-';
  const { keyId, user, method } = identity.caller;
  return keyId === null ? `${method} ${user.id}` : `key ${keyId}`;
}
