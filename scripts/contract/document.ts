import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { redocly } from './redocly.ts';

/** The bundled contract as far as the generators look into it. Lint has held every shape before; see openapi/EXTENSIONS.md. */
export interface Contract {
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, { post: WebhookOperation }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    headers: Record<string, { 'x-set-by'?: string }>;
    parameters: Record<string, Parameter>;
  };
  'x-access-levels': Record<string, { description: string; edition?: string; add_ons?: string[] }>;
  'x-add-on-catalog': Record<string, { description: string; inactive: string }>;
}

/** By method; what all of them share may stand among them. */
export type PathItem = Record<string, Operation | Parameter[] | string>;
export type Reference = { $ref: string };
export type Schema = Reference & { properties?: Record<string, Schema>; enum?: string[]; default?: unknown; [field: string]: unknown };
export type Parameter = Reference & { name: string; in: string; schema: Schema };
export type Response = Reference & { 'x-error-codes'?: string[]; headers?: Record<string, Reference> };

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
  'x-access': string[];
  'x-access-when'?: { setting: string; equals: unknown; access: string[] }[];
  'x-owner'?: { record: string; in: string; name?: string; required_code?: string };
  'x-scope': string;
  'x-scope-when'?: { parameter: string; equals: unknown; scope: string }[];
  'x-csrf-when'?: { parameter: string; equals: unknown }[];
  'x-edition'?: string;
  'x-add-ons'?: string[];
  'x-switch-group'?: string;
  'x-error-codes'?: Record<string, string[]>;
}

export interface WebhookOperation {
  description: string;
  'x-edition'?: string;
  'x-add-ons'?: string[];
  'x-feed-kind': string | null;
}

/** Puts the split YAML together. Redocly names each component by its file. */
export function bundle(root: string): Contract {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
  const output = path.join(folder, 'openapi.json');
  try {
    const result = redocly(['bundle', root, '--output', output]);
    if (!result.ok) throw new Error(`The contract could not be bundled.\n${result.stdout}${result.stderr}`);
    return JSON.parse(readFileSync(output, 'utf8')) as Contract;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Follows a `$ref` into the bundle's components. Next to one, 3.1 allows further keys, and they win. */
export function resolve<T extends object>(contract: Contract, node: T | Reference): T {
  if (!('$ref' in node)) return node;
  const { $ref, ...beside } = node;
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], contract);
  return { ...resolve(contract, target as T), ...beside };
}

/** Every operation of the contract, in its order. Lint says which methods there are. */
export function* operationsOf(contract: Contract): Generator<{ path: string; method: string; operation: Operation }> {
  for (const [path, item] of Object.entries(contract.paths))
    for (const [method, operation] of Object.entries(item))
      if (typeof operation === 'object' && 'operationId' in operation) yield { path, method, operation };
}
