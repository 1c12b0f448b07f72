import type { components, webhooks } from '../../generated/api.d.ts';
import type { EventKind, EventOfKind } from '../../generated/client.ts';

export type EventName = keyof webhooks;

type Body<Name extends EventName> = webhooks[Name]['post'] extends { requestBody: { content: { 'application/json': infer Value } } }
  ? Value
  : never;

/** What a webhook is sent. Tell deliveries apart by `event`. */
export type WebhookDelivery<Name extends EventName = EventName> = Name extends EventName ? Body<Name> : never;

export type FeedRecord = components['schemas']['Event'];

type Data<Name> = Name extends EventName ? WebhookDelivery<Name>['data'] : null;

/** Something that happened. Tell events apart by `event`, its kind; `id` is its place in the feed, the cursor to keep. */
export type FeedEvent<Kind extends EventKind = EventKind> = Kind extends EventKind
  ? Omit<FeedRecord, 'event' | 'type' | 'data'> & { event: Kind; type: EventOfKind[Kind]; data: Data<EventOfKind[Kind]> }
  : never;
