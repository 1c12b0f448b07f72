import type { EventKind, WebhookEvent } from '../../generated/events.ts';

export interface NewEvent {
  kind: EventKind;
  /** The webhook event; null if there is none. */
  type: WebhookEvent | null;
  objectType: 'order' | 'coupon' | 'registration' | 'user' | 'payout' | 'api_key' | 'webhook';
  objectId: number;
  /** Who did it; 0 for the system. */
  userId: number;
  info: string;
  data: Record<string, unknown> | null;
  at: number;
}

export interface RecordedEvent extends NewEvent {
  /** The position in the feed: one more than that of the event before it. */
  id: number;
}
