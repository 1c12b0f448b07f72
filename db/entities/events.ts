import type { NewEvent } from '../../domain/events/event.ts';
import type { EventKind, WebhookEvent } from '../../generated/events.ts';
import { bigint, entity, json, nullable, primary, text } from './columns.ts';

export const events = entity('events', {
  /** Dense: one more than the id of the event before. */
  id: primary(bigint('id')),
  kind: text<EventKind>('kind'),
  /** Dense among the events of the kind. */
  ordinal: bigint('ordinal'),
  type: nullable(text<WebhookEvent>('type')),
  objectType: text<NewEvent['objectType']>('object_type'),
  objectId: bigint('object_id'),
  userId: bigint('user_id'),
  info: text('info'),
  data: nullable(json<Record<string, unknown>>('data')),
  at: bigint('created_at'),
});
