import type { ContractDocument } from '../contract/document.ts';
import { formatConstant, generatedNotice } from './source.ts';

const declarations = `export type WebhookEvent = keyof typeof webhookEvents;
export type EventKind = (typeof eventKinds)[number];
`;

/** The two event channels: what a webhook can get, and the kinds of the change feed. */
export function eventsModule(contract: ContractDocument): string {
  const events = Object.entries(contract.webhooks).map(([name, { post }]) => [
    name,
    { description: post.description, edition: post['x-edition'] ?? null, addOns: post['x-add-ons'] ?? [], feedKind: post['x-feed-kind'] },
  ]);
  return [
    generatedNotice,
    formatConstant('webhookEvents', Object.fromEntries(events)),
    formatConstant('eventKinds', contract.components.schemas.EventKind?.enum),
    declarations,
  ].join('\n');
}
