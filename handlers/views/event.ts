import { localDateTime } from '../../domain/dates.ts';
import type { RecordedEvent } from '../../domain/events/event.ts';
import type { components } from '../../generated/api.d.ts';
import type { Settings } from '../../site/settings/settings.ts';

export const eventView = (event: RecordedEvent, { store }: Settings): components['schemas']['Event'] => ({
  id: event.id,
  event: event.kind,
  type: event.type,
  event_id: event.objectId,
  object_type: event.objectType,
  user_id: event.userId,
  info: event.info,
  data: event.data,
  date: localDateTime(event.at, store.timezone),
});
