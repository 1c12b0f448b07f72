import type { EventKind } from '../../generated/client.ts';
import type { Api } from './api.ts';
import type { Page } from './calls.ts';
import { isApiError } from './errors.ts';
import type { FeedEvent } from './events.ts';
import { pause } from './pause.ts';

export interface FollowOptions<Kind extends EventKind = EventKind> {
  /** The `id` of the last event that you are done with; 0 for all there are. Without it: what happens from now on. */
  readonly after?: number;
  /** Only these. */
  readonly kinds?: readonly Kind[];
  /** Only what this user did; 0 for the system. */
  readonly userId?: number;
  /** Ends the loop, without an error. */
  readonly signal?: AbortSignal;
  /** How long to wait when there is nothing new: at first, and at most after doubling it each time. 2 and 30 when not given. */
  readonly idleSeconds?: number;
  readonly longestIdleSeconds?: number;
  /** Told of every failure that is waited out: no connection, or a service that is down or has too much to do. */
  readonly onRetry?: (error: unknown) => void;
}

/** The change feed, event after event, each exactly once, until the signal or `break`. Keep `event.id` to go on there later. */
export async function* follow<Kind extends EventKind = EventKind>(
  { events }: Pick<Api, 'events'>,
  { after: cursor, kinds, userId, signal, idleSeconds = 2, longestIdleSeconds = 30, onRetry }: FollowOptions<Kind> = {},
): AsyncGenerator<FeedEvent<Kind>, void, undefined> {
  const filter = { per_page: 100, ...(kinds && { event: [...kinds] }), ...(userId !== undefined && { user_id: userId }) };
  let idle = idleSeconds;
  for (;;) {
    if (signal?.aborted) return;
    let page: Page<FeedEvent> | undefined;
    let wait = 0;
    try {
      cursor ??= (await events.list({ per_page: 1 }, { signal })).items[0]?.id ?? 0;
      page = await events.list({ ...filter, after: cursor }, { signal });
    } catch (error) {
      if (signal?.aborted) return;
      wait = secondsToWaitOut(error);
      onRetry?.(error);
    }
    for (const event of page?.items ?? []) {
      yield event as FeedEvent<Kind>;
      if (signal?.aborted) return;
      cursor = event.id;
      idle = idleSeconds;
    }
    if (page?.items.length && page.total > page.items.length) continue;
    await pause(Math.max(wait, idle), signal).catch(() => {});
    idle = Math.min(idle * 2, longestIdleSeconds);
  }
}

/** Throws what no waiting mends. */
function secondsToWaitOut(error: unknown): number {
  if (isApiError(error, 'no_answer', 'timed_out')) return 0;
  if (isApiError(error) && error.status !== 501 && (error.status > 499 || error.status === 429))
    return 'retry_after' in error.data ? error.data.retry_after : 0;
  throw error;
}
