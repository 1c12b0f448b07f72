import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { ContractDocument } from '../contract/document.ts';
import { formatClient } from './client.ts';
import { formatConstant, formatOperations, generatedNotice } from './operations.ts';
import { formatRecords } from './records.ts';
import type { FileContents } from './stale-files.ts';
import { formatTools } from './tools.ts';

/** Each file of generated/, from the bundled contract alone: the same contract gives the same bytes. */
export const formatters: Readonly<Record<string, (contract: ContractDocument) => string | Promise<string>>> = {
  'generated/openapi.json': (contract) => `${JSON.stringify(contract, null, 2)}\n`,
  'generated/api.d.ts': formatTypes,
  'generated/operations.ts': formatOperations,
  'generated/transitions.ts': formatTransitions,
  'generated/events.ts': formatEvents,
  'generated/client.ts': formatClient,
  'generated/records.ts': formatRecords,
  'generated/tools.ts': formatTools,
};

export async function generateFiles(contract: ContractDocument): Promise<FileContents> {
  const contents: Record<string, string> = {};
  for (const [file, format] of Object.entries(formatters)) contents[file] = await format(contract);
  return contents;
}

/** Types of every operation, parameter, body, response and header. */
async function formatTypes(contract: ContractDocument): Promise<string> {
  // The Node API on the bundle: the command line loads redocly.yaml with an older Redocly, which fails at our rules.
  // With `defaultNonNullable` a field with a default would be required of clients too.
  const ast = await openapiTS(contract as unknown as OpenAPI3, { silent: true, defaultNonNullable: false });
  return `${generatedNotice}${astToString(ast)}`;
}

/** The state tables, by the schema that declares them (PayoutStatus, RegistrationStatus). */
function formatTransitions(contract: ContractDocument): string {
  const tables = Object.entries(contract.components.schemas)
    .filter(([, schema]) => 'x-transitions' in schema)
    .map(([name, schema]) => [name, schema['x-transitions']]);
  return [generatedNotice, formatConstant('transitions', Object.fromEntries(tables)), transitionTypes].join('\n');
}

const transitionTypes = `export type TransitionTable = keyof typeof transitions;
export type Transition<Table extends TransitionTable = TransitionTable> = (typeof transitions)[Table]['rows'][number];
`;

/** The two event channels: webhook events, and the kinds of the change feed. */
function formatEvents(contract: ContractDocument): string {
  const events = Object.entries(contract.webhooks).map(([name, { post }]) => [
    name,
    { description: post.description, edition: post['x-edition'] ?? null, addOns: post['x-add-ons'] ?? [], feedKind: post['x-feed-kind'] },
  ]);
  return [
    generatedNotice,
    formatConstant('webhookEvents', Object.fromEntries(events)),
    formatConstant('eventKinds', contract.components.schemas.EventKind?.enum),
    formatConstant('eventKindNeeds', contract.components.schemas.EventKind?.['x-value-availability']),
    eventTypes,
  ].join('\n');
}

const eventTypes = `export type WebhookEvent = keyof typeof webhookEvents;
export type EventKind = (typeof eventKinds)[number];
`;
