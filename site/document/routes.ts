import { type WebhookEvent, webhookEvents } from '../../generated/events.ts';
import { type OperationId, operations } from '../../generated/operations.ts';
import { getAccess, getAvailability, isEventOffered } from '../served.ts';
import type { Settings } from '../settings/settings.ts';
import { filterValues, isJsonObject, type JsonObject, type JsonObjects, mapValues } from './openapi.ts';

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** The paths with the operations that are served here, each saying who may call here. */
export function servedPaths(paths: JsonObjects, settings: Settings): JsonObjects {
  const isServed = (part: unknown, key: string): boolean =>
    !methods.has(key) || (isOurs(part) && getAvailability(part.operationId, settings) === 'served');
  const items = mapValues(paths, (item) => filterValues(item, isServed));
  const inhabited = filterValues(items, (item) => Object.keys(item).some((key) => methods.has(key)));
  return mapValues(inhabited, (item) => mapValues(item, (part) => (isOurs(part) ? withAccess(part, settings) : part)));
}

type OurOperation = JsonObject & { readonly operationId: OperationId };

/** What the generated constants do not know cannot be served: nothing says who may call it. */
const isOurs = (part: unknown): part is OurOperation => isJsonObject(part) && Object.hasOwn(operations, String(part.operationId));

function withAccess(operation: OurOperation, settings: Settings): JsonObject {
  const access = getAccess(operation.operationId, settings);
  const alternatives = Array.isArray(operation.security) ? operation.security : [];
  // `{}` means "or without credentials", which holds for a public operation alone.
  const security = alternatives.filter((alternative) => access.includes('public') || Object.keys(alternative as JsonObject).length > 0);
  return { ...operation, 'x-access': access, security };
}

/** The events this site delivers. */
export const offeredWebhooks = (webhooks: JsonObjects, settings: Settings): JsonObjects =>
  filterValues(webhooks, (_, event) => isEvent(event) && isEventOffered(event, settings));

const isEvent = (name: string): name is WebhookEvent => Object.hasOwn(webhookEvents, name);

/** The tags that an operation or a webhook carries. */
export function tagsOf(...sections: JsonObjects[]): ReadonlySet<unknown> {
  const parts = sections.flatMap((section) => Object.values(section).flatMap((item) => Object.values(item)));
  return new Set(parts.flatMap((part) => (isJsonObject(part) && Array.isArray(part.tags) ? part.tags : [])));
}
