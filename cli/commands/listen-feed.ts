import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedEvent } from '../../domain/events/event.ts';
import type { UnitOfWork } from '../../domain/ports.ts';
import { deliveryName, type WebhookNotification } from '../../domain/webhooks/delivery.ts';
import type { WebhookNotifier } from '../../domain/webhooks/event-notifier.ts';
import { formatBody } from '../../domain/webhooks/message.ts';
import { createSignedHeaders } from '../../domain/webhooks/signature.ts';
import { buildSettings } from '../../site/settings/settings.ts';

export interface Following {
  storage: UnitOfWork;
  tell: WebhookNotifier;
  /** Names of events, or `*` alone. */
  events: readonly string[];
  secret: string;
  signal: AbortSignal;
}

/** What a webhook would be sent, headers and body, byte for byte. */
export interface HeardDelivery {
  id: string;
  event: string;
  headers: Record<string, string>;
  body: string;
}

const all = { kinds: [], userId: null };
const lookEveryMs = 300;
const atATime = 100;

/** A number for each delivery that is the same whenever it is asked for. Of one event there may be several: the site's own beside ours. */
const perEvent = 1000;

export async function endOfFeed(storage: UnitOfWork): Promise<number> {
  const { items } = await storage.read(({ events }) => events.newest(all, { page: 1, perPage: 1 }));
  return items[0]?.id ?? 0;
}

/** What happens after this place of the feed, until the signal. */
export async function* deliveriesAfter(place: number, following: Following): AsyncGenerator<HeardDelivery> {
  let cursor = place;
  while (!following.signal.aborted) {
    const { items, storedSettings } = await lookAfter(cursor, following.storage);
    for (const event of items) {
      if (following.signal.aborted) return;
      yield* await deliveriesOf(event, storedSettings, following);
    }
    cursor = items.at(-1)?.id ?? cursor;
    if (items.length < atATime) await pause(lookEveryMs, null, { signal: following.signal }).catch(() => null);
  }
}

const lookAfter = (cursor: number, storage: UnitOfWork) =>
  storage.read(async ({ events, settings }) => {
    const { items } = await events.after(cursor, all, atATime);
    return { items, storedSettings: items.length === 0 ? {} : (await settings.all()).values };
  });

async function deliveriesOf(event: RecordedEvent, storedSettings: Record<string, unknown>, following: Following): Promise<HeardDelivery[]> {
  const { tell, events, secret } = following;
  const news = await tell([event], { subscribed: new Set(events), storedSettings });
  const { settings } = buildSettings(storedSettings);
  const isAskedFor = (told: WebhookNotification): boolean => events.includes('*') || events.includes(told.event);
  const sign = (told: WebhookNotification, index: number) =>
    signed(told, deliveryName(event.id * perEvent + index), settings.store.url, secret);
  return news.filter(isAskedFor).map(sign);
}

function signed({ event, data, at }: WebhookNotification, id: string, site: string, secret: string): HeardDelivery {
  const body = formatBody({ id, event, createdAt: at, data }, site);
  return { id, event, body, headers: createSignedHeaders({ secret, deliveryId: id, event, body, now: Date.now() }) };
}
