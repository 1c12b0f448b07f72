import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type { WebhookNotification } from '../../domain/webhooks/delivery.ts';
import type { SiteExtension } from '../../site/extension.ts';
import { isAddOnActive } from '../../site/served.ts';
import { buildSettings, type Settings } from '../../site/settings/settings.ts';
import { createWebhookNotifier, listOfferedEvents } from '../../site/webhook-events.ts';
import { CommandError } from '../terminal/output.ts';

/** What webhooks would receive for one event of the feed. */
export interface FeedItem {
  id: number;
  /** The store's address. */
  site: string;
  notifications: readonly WebhookNotification[];
}

/** Where `affiliate listen` reads the change feed. */
export interface EventSource {
  storeName: string;
  /** The store's time zone. */
  zone: string;
  /** Names of events that webhooks can subscribe to. */
  offered: readonly string[];
  /** The id of the newest event. */
  newest(): Promise<number>;
  /** Oldest first, until the signal is aborted. `wanted` are names of events. */
  follow(cursor: number, wanted: ReadonlySet<string>, signal: AbortSignal): AsyncIterable<FeedItem>;
}

const pageSize = 100;
const pollIntervalMs = 300;
export const notActive = 'The add-on webhooks is not active here, so there are no deliveries.';

const allEvents = { kinds: [], userId: null };

export function readFromDatabase(storage: Database, settings: Settings, site: SiteExtension): EventSource {
  if (!isAddOnActive('webhooks', settings)) throw new CommandError(notActive);
  const notify = createWebhookNotifier(async () => site);
  return {
    storeName: settings.store.name,
    zone: settings.store.timezone,
    offered: [...listOfferedEvents(settings), ...site.webhookEvents.keys()],
    async newest() {
      const { items } = await storage.read(({ events }) => events.newest(allEvents, { page: 1, perPage: 1 }));
      return items[0]?.id ?? 0;
    },
    async *follow(start, subscribed, signal) {
      for (let cursor = start; !signal.aborted; ) {
        const { items, storedSettings } = await storage.read(async ({ events, settings: stored }) => {
          const page = await events.after(cursor, allEvents, pageSize);
          return { items: page.items, storedSettings: page.items.length === 0 ? {} : (await stored.all()).values };
        });
        const { store } = buildSettings(storedSettings).settings;
        for (const event of items)
          yield { id: event.id, site: store.url, notifications: await notify([event], { subscribed, storedSettings }) };
        cursor = items.at(-1)?.id ?? cursor;
        if (items.length < pageSize) await sleep(pollIntervalMs, null, { signal }).catch(() => null);
      }
    },
  };
}
