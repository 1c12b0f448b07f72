export type WebhookStatus = 'active' | 'disabled';

/** A subscription to program events. */
export interface Webhook {
  id: number;
  /** A label for people; empty when none. */
  name: string;
  url: string;
  /** Names of events in the order in which they were given, or `*` alone for all. */
  events: string[];
  status: WebhookStatus;
  /** Attempts that failed since the last one that did not. */
  failures: number;
  /** The last attempt, whatever came of it. */
  lastDeliveryAt: number | null;
  /** Empty when the last attempt went well. */
  lastError: string;
  encryptedSecret: string;
  createdBy: number;
  createdAt: number;
}

export type NewWebhook = Pick<Webhook, 'name' | 'url' | 'events' | 'encryptedSecret' | 'createdBy' | 'createdAt'>;

export const allEvents = '*';

/** Not part of subscriptions. */
export const testEvent = 'ping';

/** What mails and the feed call it. Not its whole address: receivers put secrets there. */
export function formatLabel({ id, name, url }: Pick<Webhook, 'id' | 'name' | 'url'>): string {
  return name === '' ? `${id} (${new URL(url).host})` : `${id} (${name})`;
}
