import type { components, webhooks } from '../../generated/api.d.ts';
import type { EventKind, EventOfKind } from '../../generated/client.ts';

export type EventName = keyof webhooks;

type Body<Name extends EventName> = webhooks[Name]['post'] extends { requestBody: { content: { 'application/json': infer Value } } }
  ? Value
  : never;

/** The body of a webhook request. `event` tells the types apart. */
export type WebhookDelivery<Name extends EventName = EventName> = Name extends EventName ? Body<Name> : never;

export type FeedRecord = components['schemas']['Event'];

type Data<Name> = Name extends EventName ? WebhookDelivery<Name>['data'] : null;

/** An entry of the change feed. `event` is its kind and tells the types apart; `id` is its position, the cursor to store. */
export type FeedEvent<Kind extends EventKind = EventKind> = Kind extends EventKind
  ? Omit<FeedRecord, 'event' | 'type' | 'data'> & { event: Kind; type: EventOfKind[Kind]; data: Data<EventOfKind[Kind]> }
  : never;
