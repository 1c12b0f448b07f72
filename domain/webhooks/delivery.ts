import type { DeliveryFailure } from '../errors.ts';
import type { NewEvent } from '../events/event.ts';

/** What a webhook receives. */
export interface WebhookNotification {
  event: string;
  data: Readonly<Record<string, unknown>> | null;
  at: number;
}

/** failed: given up after the last attempt. Whatever waits is pending, also while it is under way. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface Delivery {
  id: number;
  webhookId: number;
  event: string;
  /** When the event happened. */
  createdAt: number;
  status: DeliveryStatus;
  /** When it is tried next. Null once there is nothing left to do. */
  dueAt: number | null;
  finishedAt: number | null;
  /** The newest 20, oldest first; a replayed delivery keeps those from before. */
  attempts: Attempt[];
}

export interface Attempt {
  at: number;
  /** The receiver's answer, or null when there was none. */
  code: number | null;
  failure: DeliveryFailure | null;
  /** What went wrong, for people. Empty when nothing did. */
  error: string;
  /** The first KiB of the answer. */
  excerpt: string;
  milliseconds: number;
}

/** A delivery that one worker has to itself until its lease is over. */
export interface ClaimedDelivery {
  id: number;
  webhookId: number;
  url: string;
  encryptedSecret: string;
  event: string;
  createdAt: number;
  data: unknown;
  /** 1 for the first. */
  attempt: number;
  lease: string;
}

/** As receivers and people know it. */
export const deliveryName = (id: number): string => `dlv_${id}`;

/** The id in a name that has the form of one. */
export const deliveryIdOf = (name: string): number => Number(name.slice('dlv_'.length));

export interface WebhookMessage {
  url: string;
  /** As `createSignedHeaders` returns them. The sender adds those of every exchange (Content-Type, User-Agent, …). */
  headers: Record<string, string>;
  /** Sent byte for byte: it is what was signed. */
  body: string;
}

export interface ReceiverResponse {
  kind: 'answered';
  /** Whatever the receiver said, 3xx included: redirects are not followed. */
  code: number;
  retryAfter: string | null;
  /** The first KiB of the answer as text; control characters and what is no UTF-8 are replaced. */
  excerpt: string;
  milliseconds: number;
}

interface NoResponse {
  kind: 'failed';
  failure: DeliveryFailure;
  /** A sentence for people; it names no address, host or port. */
  message: string;
  milliseconds: number;
}

export type DeliveryOutcome = ReceiverResponse | NoResponse;

export interface UrlRules {
  /** In the environment `local`: http too, and this machine's own loopback, on any port. */
  allowPlainHttpAndLoopback: boolean;
  /** The setting `webhooks.ports`. */
  ports: readonly number[];
}

/** Never rejects, and takes 8 seconds at most, whatever the receiver does. */
export type SendWebhook = (message: WebhookMessage, rules: UrlRules) => Promise<DeliveryOutcome>;

/** At creation: a sentence that says what is wrong with the address, or null. */
export type CheckUrl = (url: string, rules: UrlRules) => Promise<string | null>;

interface WebhookAudience {
  /** What active webhooks subscribed to, be it `*`. */
  subscribed: ReadonlySet<string>;
  /** As they are stored at this moment, by path: they say which add-ons are active. */
  storedSettings: Readonly<Record<string, unknown>>;
}

/** Maps events to what webhooks receive. Runs in the events' transaction, and only if a webhook is active. */
export type WebhookNotifier = (events: readonly NewEvent[], audience: WebhookAudience) => Promise<WebhookNotification[]>;

/** The default, which `Database.setWebhookNotifier` replaces by one that follows the settings of the site. */
export const notifyOfAllEvents: WebhookNotifier = async (events) =>
  events.flatMap(({ type, data, at }) => (type === null ? [] : [{ event: type, data, at }]));
