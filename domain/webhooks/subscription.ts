import { ApiError } from '../errors.ts';
import { allEvents } from './webhook.ts';

/** What of these names can be subscribed to. Spec, "POST /webhooks": unknown names are dropped. */
export function resolveSubscription(names: readonly string[], catalog: ReadonlySet<string>): string[] {
  if (names.includes(allEvents)) return [allEvents];
  const known = [...new Set(names)].filter((name) => catalog.has(name));
  if (known.length === 0) throw new ApiError('svc_api_no_events');
  return known;
}
