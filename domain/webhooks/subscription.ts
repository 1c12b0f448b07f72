import { ApiError } from '../errors.ts';
import { everyEvent } from './webhook.ts';

/** What of these names can be subscribed to. Spec, "POST /webhooks": unknown names are dropped. */
export function subscribable(names: readonly string[], catalog: ReadonlySet<string>): string[] {
  if (names.includes(everyEvent)) return [everyEvent];
  const known = [...new Set(names)].filter((name) => catalog.has(name));
  if (known.length === 0) throw new ApiError('svc_api_no_events');
  return known;
}
