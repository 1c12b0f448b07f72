import { ApiError } from '../domain/errors.ts';
import { type EventKind, eventKinds } from '../generated/events.ts';
import { listEventKinds } from '../site/served.ts';
import type { Settings } from '../site/settings/settings.ts';
import type { OperationHandler } from './context.ts';
import { eventView } from './views/event.ts';
import { totals } from './views/user.ts';

export const get_events: OperationHandler<'get_events'> = async ({ query }, { settings, storage }) => {
  // Only reading is switched off. Events are still recorded: webhooks are sent from the same rows, and clients that follow the cursor must
  // not miss any.
  if (!settings.activity_log) throw new ApiError('svc_api_log_disabled');

  const { after, page, per_page: perPage } = query;
  const filter = { kinds: kindsFor(query.event, settings), userId: query.user_id ?? null };
  const { items, total, newest } = await storage.read(async ({ events }) => {
    const found = await (after === undefined ? events.newest(filter, { page, perPage }) : events.after(after, filter, perPage));
    return { ...found, newest: await events.lastId() };
  });
  const lastEvent = items.length === 0 ? (after ?? newest) : Math.max(...items.map(({ id }) => id));
  const headers = { ...totals(total, perPage), 'X-Svc-Last-Event': lastEvent, 'X-Svc-Feed-End': newest };
  return { status: 200, body: items.map((event) => eventView(event, settings)), headers, cacheable: true };
};

export const get_events_stream: OperationHandler<'get_events_stream'> = async ({ query, headers }, { settings, storage }) => {
  if (!settings.activity_log) throw new ApiError('svc_api_log_disabled');
  const filter = { kinds: kindsFor(query.event, settings), userId: query.user_id ?? null };
  // A client that reconnects sends the header with the address that it began with.
  const after = headers['Last-Event-ID'] ?? query.cursor ?? (await storage.query(({ events }) => events.lastId()));
  return { status: 200, stream: { filter, after } };
};

/** Empty for all kinds, which is the fastest query. */
function kindsFor(requested: readonly EventKind[] | undefined, settings: Settings): readonly EventKind[] {
  const offered = listEventKinds(settings);
  if (requested === undefined) return offered.length === eventKinds.length ? [] : offered;
  const absent = requested.find((kind) => !offered.includes(kind));
  if (absent === undefined) return requested;
  const sentence = `event: this edition has no kind ${absent}.`;
  throw new ApiError('rest_invalid_param', { message: 'Invalid parameter(s): event.', data: { params: { event: sentence } } });
}
