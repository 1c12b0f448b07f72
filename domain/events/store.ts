import type { EventKind } from '../../generated/events.ts';
import type { Page, Paged } from '../page.ts';
import type { NewEvent, RecordedEvent } from './event.ts';

export interface EventFilter {
  /** Empty for all kinds. */
  kinds: readonly EventKind[];
  /** Who did it; null for everybody. */
  userId: number | null;
}

export interface EventStore {
  /** Takes its place in the feed in the order of the commits. */
  record(event: NewEvent): Promise<void>;
  /** What comes after the cursor, oldest first, and how much of it there is in all. */
  after(cursor: number, filter: EventFilter, limit: number): Promise<Paged<RecordedEvent>>;
  /** Newest first. */
  newest(filter: EventFilter, page: Page): Promise<Paged<RecordedEvent>>;
}
