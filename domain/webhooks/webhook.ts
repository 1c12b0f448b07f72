import { ApiError } from '../errors.ts';
import type { NewEvent } from '../events/event.ts';
import { opens, type Secrets } from '../master-key/secrets.ts';

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
  /** The first of those failures. Null without any. */
  failingSince: number | null;
  /** While it only gets probes: when the next may be sent. */
  nextProbeAt: number | null;
  /** The last attempt, whatever came of it. */
  lastDeliveryAt: number | null;
  /** Empty when the last attempt went well. */
  lastError: string;
  encryptedSecret: string;
  createdBy: number;
  createdAt: number;
}

/** Without an id it gets the next one. */
export type NewWebhook = Pick<Webhook, 'name' | 'url' | 'events' | 'encryptedSecret' | 'createdBy' | 'createdAt'> & { id?: number };

export const allEvents = '*';

/** Not part of subscriptions. */
export const testEvent = 'ping';

/** What mails and the feed call it. Not its whole address: receivers put secrets there. */
export function formatLabel({ id, name, url }: Pick<Webhook, 'id' | 'name' | 'url'>): string {
  return name === '' ? `${id} (${new URL(url).host})` : `${id} (${name})`;
}

/** Events about webhooks are in the feed only. */
export const webhookEvent = (
  kind: 'webhook_created' | 'webhook_disabled',
  webhookId: number,
  circumstances: Pick<NewEvent, 'info' | 'userId' | 'at'>,
): NewEvent => ({ kind, type: null, objectType: 'webhook', objectId: webhookId, data: null, ...circumstances });

/** What of these names can be subscribed to. Unknown names are dropped. */
export function resolveSubscription(names: readonly string[], catalog: ReadonlySet<string>): string[] {
  if (names.includes(allEvents)) return [allEvents];
  const known = [...new Set(names)].filter((name) => catalog.has(name));
  if (known.length === 0) throw new ApiError('svc_api_no_events');
  return known;
}

/** Whether this webhook's deliveries can be signed here. If not, its secret was made with another master key. */
export const hasReadableSecret = ({ id, encryptedSecret }: Pick<Webhook, 'id' | 'encryptedSecret'>, secrets: Secrets): boolean =>
  opens(secrets, encryptedSecret, id);
