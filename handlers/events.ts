import { ApiError } from '../domain/errors.ts';
import type { OperationHandler } from './context.ts';
import { eventView } from './views/event.ts';
import { totals } from './views/user.ts';

export const get_events: OperationHandler<'get_events'> = async ({ query }, { settings, storage }) => {
  // Only reading is switched off. Events are still recorded: webhooks are sent from the same rows, and clients that follow the cursor must
  // not miss any.
  if (!settings.activity_log) throw new ApiError('svc_api_log_disabled');

  const { after, page, per_page: perPage } = query;
  const filter = { kinds: query.event ?? [], userId: query.user_id ?? null };
  const { items, total } = await storage.read(({ events }) =>
    after === undefined ? events.newest(filter, { page, perPage }) : events.after(after, filter, perPage),
  );
  const lastEvent = items.length === 0 ? (after ?? 0) : Math.max(...items.map(({ id }) => id));
  const headers = { ...totals(total, perPage), 'X-Svc-Last-Event': lastEvent };
  return { status: 200, body: items.map((event) => eventView(event, settings)), headers, cacheable: true };
};
