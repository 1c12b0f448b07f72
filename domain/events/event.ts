import type { EventKind, WebhookEvent } from '../../generated/events.ts';
import type { Page, Paged } from '../page.ts';

export interface NewEvent {
  kind: EventKind;
  /** The webhook event; null if there is none. */
  type: WebhookEvent | null;
  objectType:
    | 'order'
    | 'coupon'
    | 'registration'
    | 'user'
    | 'payout'
    | 'api_key'
    | 'app_password'
    | 'webhook'
    | 'ledger_seal'
    | 'site'
    | 'risk_signal';
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

export interface EventFilter {
  /** Empty for all kinds. */
  kinds: readonly EventKind[];
  /** Events of this user only; null for all. */
  userId: number | null;
}

/** What a reader of the feed follows. */
export interface EventSelection {
  filter: EventFilter;
  /** The id of the last event that the reader has. */
  after: number;
}

export interface EventRepository {
  /** Takes its place in the feed in the order of the commits. */
  record(event: NewEvent): Promise<void>;
  /** What comes after the cursor, oldest first, and how much of it there is in all. */
  after(cursor: number, filter: EventFilter, limit: number): Promise<Paged<RecordedEvent>>;
  /** Newest first. */
  newest(filter: EventFilter, page: Page): Promise<Paged<RecordedEvent>>;
  /** Of one payout, oldest first. */
  ofPayout(id: number, page: Page): Promise<Paged<RecordedEvent>>;
  /** The id of the newest event; 0 if there is none. */
  lastId(): Promise<number>;
}
