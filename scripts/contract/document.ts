import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runRedocly } from './redocly.ts';
import { findYamlFailures, formatYamlFailure } from './yaml-failure.ts';

/** The parts of the bundled contract that the tools read, in the shapes that lint enforces; see openapi/EXTENSIONS.md. */
export interface ContractDocument {
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, PathItemObject>;
  webhooks: Record<string, { post: WebhookObject }>;
  components: {
    schemas: Record<string, SchemaObject>;
    responses: Record<string, ResponseObject>;
    headers: Record<string, { 'x-set-by'?: string }>;
    parameters: Record<string, ParameterObject>;
  };
  'x-access-levels': Record<string, { description: string; edition?: string; add_ons?: string[] }>;
  'x-add-on-catalog': Record<string, { description: string; inactive: string; edition?: string }>;
}

/** By method, beside keys that apply to all methods. */
type PathItemObject = Record<string, OperationObject | ParameterObject[] | string>;
export type ReferenceObject = { $ref: string };
export type SchemaObject = ReferenceObject & {
  properties?: Record<string, SchemaObject>;
  enum?: string[];
  default?: unknown;
  [field: string]: unknown;
};
export type ParameterObject = ReferenceObject & { name: string; in: string; schema: SchemaObject };
type ResponseObject = ReferenceObject & {
  'x-error-codes'?: string[];
  headers?: Record<string, ReferenceObject>;
  content?: Record<string, unknown>;
};

export interface OperationObject {
  operationId: string;
  tags: [string];
  summary: string;
  parameters?: ParameterObject[];
  requestBody?: { required: boolean; content: Record<string, { schema: SchemaObject }> };
  responses: Record<string, ResponseObject>;
  'x-access': string[];
  'x-access-when'?: { setting: string; equals: unknown; access: string[] }[];
  'x-owner'?: { record: string; in: string; name?: string; required_code?: string };
  'x-scope': string;
  'x-scope-when'?: { parameter: string; equals: unknown; scope: string }[];
  'x-csrf-when'?: { parameter: string; equals: unknown }[];
  'x-confirm-password'?: true | 'code';
  'x-dry-run'?: boolean;
  'x-tool'?: { name: string; title: string; description: string };
  'x-edition'?: string;
  'x-add-ons'?: string[];
  'x-switch-group'?: string;
  'x-error-codes'?: Record<string, string[]>;
}

interface WebhookObject extends Pick<OperationObject, 'parameters' | 'requestBody'> {
  description: string;
  'x-edition'?: string;
  'x-add-ons'?: string[];
  'x-feed-kind': string | null;
}

/** Joins the split YAML into one document. Redocly names each component by its file. */
export async function bundleContract(root: string, run = runRedocly): Promise<ContractDocument> {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
  const output = path.join(folder, 'openapi.json');
  try {
    const { ok, stdout, stderr } = await run(['bundle', root, '--output', output]);
    if (!ok) {
      const failures = findYamlFailures(path.dirname(root)).map(formatYamlFailure);
      throw new Error(failures.length > 0 ? failures.join('\n') : `The contract could not be bundled.\n${stdout}${stderr}`.trim());
    }
    return mergePathParameters(JSON.parse(readFileSync(output, 'utf8')) as ContractDocument);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The parameters of a path become those of its operations, unless an operation has its own of the same name: what reads the bundle reads these alone. */
export function mergePathParameters(contract: ContractDocument): ContractDocument {
  const nameOf = (parameter: ParameterObject): string => {
    const { in: place, name } = resolveReference(contract, parameter);
    return `${place} ${name}`;
  };
  for (const item of Object.values(contract.paths)) {
    const { parameters: shared } = item as { parameters?: ParameterObject[] };
    delete item['parameters'];
    for (const operation of Object.values(item) as OperationObject[]) {
      if (!shared || typeof operation !== 'object') continue;
      const own = operation.parameters ?? [];
      const names = own.map(nameOf);
      operation.parameters = [...shared.filter((parameter) => !names.includes(nameOf(parameter))), ...own];
    }
  }
  return contract;
}

/** Throws what the service would throw with this contract when it starts. */
export async function requireLoadable(contract: ContractDocument): Promise<void> {
  // Imported here: it reads generated/, which may be missing before the first `npm run generate`.
  const { loadContract } = await import('../../server/contract/contract.ts');
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
  const file = path.join(folder, 'openapi.json');
  try {
    writeFileSync(file, JSON.stringify(contract));
    loadContract(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Follows a `$ref` into the bundle's components. OpenAPI 3.1 allows further keys beside one, and they take precedence. */
export function resolveReference<T extends object>(contract: ContractDocument, node: T | ReferenceObject): T {
  if (!('$ref' in node)) return node;
  const { $ref, ...siblings } = node;
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], contract);
  return { ...resolveReference(contract, target as T), ...siblings };
}

/** All operations in the order of the contract. Lint restricts the methods. */
export function* listOperations(contract: ContractDocument): Generator<{ path: string; method: string; operation: OperationObject }> {
  for (const [path, item] of Object.entries(contract.paths))
    for (const [method, operation] of Object.entries(item))
      if (typeof operation === 'object' && 'operationId' in operation) yield { path, method, operation };
}
