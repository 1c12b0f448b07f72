import type { EventKind } from '../../generated/client.ts';
import type { Api, Page } from './api.ts';
import { isApiError } from './errors.ts';
import { readEventStream } from './event-stream.ts';
import type { FeedEvent } from './events.ts';
import { sleep } from './retry.ts';

export interface FollowOptions<Kind extends EventKind = EventKind> {
  /** The `id` of the last event that you have processed; 0 for all events. By default, only new events. */
  readonly after?: number;
  /** Only events of these kinds. */
  readonly kinds?: readonly Kind[];
  /** Only events caused by this user; 0 for the system. */
  readonly userId?: number;
  /** Ends the loop, without an error. */
  readonly signal?: AbortSignal;
  /** False: it polls, also where there is a stream. */
  readonly stream?: boolean;
  /** While polling, the first pause while there are no new events. Doubles each time up to `longestIdleSeconds`. 2 and 30 by default. */
  readonly idleSeconds?: number;
  readonly longestIdleSeconds?: number;
  /** Called with every failure that is retried: no connection, or a service that is down or overloaded. */
  readonly onRetry?: (error: unknown) => void;
}

/** For how long it polls before it asks for a stream again. */
const withoutStreamMs = 5 * 60_000;

/**
 * Iterates over the change feed, each event exactly once, until the signal or `break`. Store `event.id` to continue there later. Reads a stream
 * where the site has the add-on `agents` and no proxy holds the stream back. Polls otherwise.
 */
export async function* follow<Kind extends EventKind = EventKind>(
  api: Pick<Api, 'events' | 'baseUrl' | 'fetch'>,
  { after: cursor, kinds, userId, signal, stream = true, idleSeconds = 2, longestIdleSeconds = 30, onRetry }: FollowOptions<Kind> = {},
): AsyncGenerator<FeedEvent<Kind>, void, undefined> {
  const filter = { ...(kinds && { event: [...kinds] }), ...(userId !== undefined && { user_id: userId }) };
  let idle = idleSeconds;
  let pollUntil = stream ? 0 : Number.POSITIVE_INFINITY;
  const onUnavailable = (): void => {
    pollUntil = Date.now() + withoutStreamMs;
  };
  for (;;) {
    if (signal?.aborted) return;
    let page: Page<FeedEvent> | undefined;
    let wait = 0;
    try {
      cursor ??= (await api.events.list({ per_page: 1 }, { signal })).items[0]?.id ?? 0;
      page = await api.events.list({ ...filter, per_page: 100, after: cursor }, { signal });
    } catch (error) {
      if (signal?.aborted) return;
      wait = retryDelay(error);
      onRetry?.(error);
    }
    for (const event of page?.items ?? []) {
      yield event as FeedEvent<Kind>;
      if (signal?.aborted) return;
      cursor = event.id;
      idle = idleSeconds;
    }
    if (page?.items.length && page.total > page.items.length) continue;
    if (page && Date.now() >= pollUntil)
      for await (const event of readEventStream(api, { query: { ...filter, cursor }, signal, onUnavailable })) {
        yield event as FeedEvent<Kind>;
        if (signal?.aborted) return;
        cursor = event.id;
        idle = idleSeconds;
      }
    await sleep(Math.max(wait, idle), signal).catch(() => {});
    idle = Math.min(idle * 2, longestIdleSeconds);
  }
}

/** Seconds until the next attempt. Rethrows errors that do not pass with time. */
function retryDelay(error: unknown): number {
  if (isApiError(error, 'no_answer', 'timed_out')) return 0;
  if (isApiError(error) && error.status !== 501 && (error.status > 499 || error.status === 429))
    return 'retry_after' in error.data ? error.data.retry_after : 0;
  throw error;
}
