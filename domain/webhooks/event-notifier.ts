import type { NewEvent } from '../events/event.ts';
import type { WebhookNotification } from './delivery.ts';

export interface WebhookAudience {
  /** What active webhooks subscribed to, be it `*`. */
  subscribed: ReadonlySet<string>;
  /** As they are stored at this moment, by path: they say which add-ons are active. */
  storedSettings: Readonly<Record<string, unknown>>;
}

/** Maps events to what webhooks receive. Runs in the events' transaction, and only if a webhook is active. */
export type WebhookNotifier = (events: readonly NewEvent[], audience: WebhookAudience) => Promise<WebhookNotification[]>;

/** Everything that has a webhook. What a site says to it comes from above: `Database.setWebhookNotifier`. */
export const notifyOfAllEvents: WebhookNotifier = async (events) =>
  events.flatMap(({ type, data, at }) => (type === null ? [] : [{ event: type, data, at }]));
