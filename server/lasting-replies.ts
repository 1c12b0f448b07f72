import { type Clock, systemClock } from '../domain/clock.ts';
import { dayOf, endOfDay } from '../domain/dates.ts';
import type { Settings } from '../site/settings/settings.ts';
import type { Identity } from './auth/identity.ts';
import type { Operation } from './contract/document.ts';
import { type Mark, Remembered, type Source } from './remembered.ts';
import type { RequestState } from './request.ts';

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

  get isEmpty(): boolean {
    return this.#kept.isEmpty;
  }

  mark(): Mark {
    return this.#kept.mark();
  }

  find(asked: Asked): LastingReply | undefined {
    if (!isEligible(asked)) return undefined;
    const kept = this.#kept.get(keyOf(asked));
    return kept && kept.settings === asked.settings && this.#clock.now() < kept.until ? kept : undefined;
  }

  keep(asked: Asked, mark: Mark, reply: LastingReply): void {
    if (!isEligible(asked) || mark.version === null) return;
    const { settings } = asked;
    this.#kept.set(keyOf(asked), mark, { ...reply, settings, until: this.#endOfToday(settings) }, reply.body.length + 1000);
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
const isEligible = ({ method, identity }: Asked): boolean =>
  method === 'GET' && (identity.kind === 'caller' || identity.kind === 'anonymous');

const keyOf = ({ identity, origin, url }: Asked): string => `${callerOf(identity)} ${origin}${url}`;

function callerOf(identity: Identity): string {
  if (identity.kind !== 'caller') return '-';
  const { keyId, user, method } = identity.caller;
  return keyId === null ? `${method} ${user.id}` : `key ${keyId}`;
}
