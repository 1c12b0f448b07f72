import { type ContractDocument, listOperations, type OperationObject, resolveReference, type SchemaObject } from '../contract/document.ts';
import { formatConstant, generatedNotice } from './source.ts';

/** What an operation can raise: the codes of its shared responses, then its own. */
export function listErrorCodes(contract: ContractDocument, operation: OperationObject): Record<string, string[]> {
  const own = operation['x-error-codes'] ?? {};
  const codes: Record<string, string[]> = {};
  for (const [status, response] of Object.entries(operation.responses)) {
    const shared = resolveReference(contract, response)['x-error-codes'] ?? [];
    const all = [...shared, ...(own[status] ?? [])];
    if (all.length > 0) codes[status] = all;
  }
  return codes;
}

const defaultsOf = (contract: ContractDocument, named: [string, SchemaObject][]): Record<string, unknown> =>
  Object.fromEntries(
    named
      .map(([name, schema]): [string, SchemaObject] => [name, resolveReference(contract, schema)])
      .filter(([, schema]) => 'default' in schema)
      .map(([name, schema]) => [name, schema.default]),
  );

/** What the request always holds, because the contract gives it a default. */
function defaults(contract: ContractDocument, operation: OperationObject) {
  const query = (operation.parameters ?? [])
    .map((parameter) => resolveReference(contract, parameter))
    .filter((parameter) => parameter.in === 'query');
  const json = operation.requestBody?.content['application/json'];
  const properties = json ? (resolveReference(contract, json.schema).properties ?? {}) : {};
  return {
    query: defaultsOf(
      contract,
      query.map(({ name, schema }) => [name, schema]),
    ),
    body: defaultsOf(contract, Object.entries(properties)),
  };
}

function facts(contract: ContractDocument, path: string, method: string, operation: OperationObject) {
  return {
    method,
    path,
    tag: operation.tags[0],
    summary: operation.summary,
    access: operation['x-access'],
    accessWhen: operation['x-access-when'] ?? [],
    owner: operation['x-owner'] ?? null,
    scope: operation['x-scope'],
    scopeWhen: operation['x-scope-when'] ?? [],
    csrfWhen: operation['x-csrf-when'] ?? [],
    edition: operation['x-edition'] ?? null,
    addOns: operation['x-add-ons'] ?? [],
    switchGroup: operation['x-switch-group'] ?? null,
    body: operation.requestBody ? (operation.requestBody.required ? 'required' : 'optional') : null,
    defaults: defaults(contract, operation),
    errorCodes: listErrorCodes(contract, operation),
  };
}

/** Every part of the contract at any depth, but for values: the example of `GET /openapi` is a contract of its own. */
function* partsOf(node: unknown): Generator<Record<string, unknown>> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield node as Record<string, unknown>;
  for (const [key, part] of Object.entries(node)) if (!['example', 'examples', 'default'].includes(key)) yield* partsOf(part);
}

/** Properties and parameters that lint made sure are marked, wherever they stand; in lower case, as the log compares them. */
function secretNames(contract: ContractDocument): string[] {
  const names = new Set<string>();
  const add = (name: string, part: unknown) => {
    const isMarked = typeof part === 'object' && part !== null && (resolveReference(contract, part) as SchemaObject)['x-secret'] === true;
    if (isMarked) names.add(name.toLowerCase());
  };
  for (const part of partsOf(contract)) {
    if (typeof part['name'] === 'string' && 'in' in part) add(part['name'], part);
    for (const [name, property] of Object.entries(part['properties'] ?? {})) add(name, property);
  }
  return [...names].sort();
}

function serverHeaders(contract: ContractDocument): string[] {
  const headers = Object.entries(contract.components.headers);
  return headers.filter(([, header]) => header['x-set-by'] === 'server').map(([name]) => name);
}

const declarations = `type Values<Object> = Object[keyof Object];

export type OperationId = keyof typeof operations;
export type AccessLevel = keyof typeof accessLevels;
export type AddOn = keyof typeof addOns;
export type Scope = Exclude<Values<typeof operations>['scope'], 'none'>;
export type SwitchGroup = NonNullable<Values<typeof operations>['switchGroup']>;
/** Put on every answer by the server, so that a handler does not give it. */
export type ServerHeader = (typeof serverHeaders)[number];
`;

/** Turns the extensions of the contract into typed constants. */
export function formatOperations(contract: ContractDocument): string {
  const operations = Object.fromEntries(
    [...listOperations(contract)].map(({ path, method, operation }) => [operation.operationId, facts(contract, path, method, operation)]),
  );
  return [
    generatedNotice,
    formatConstant('apiVersion', contract.info.version),
    formatConstant('basePath', contract.servers[0]?.url),
    formatConstant('accessLevels', contract['x-access-levels']),
    formatConstant('addOns', contract['x-add-on-catalog']),
    formatConstant('secretNames', secretNames(contract)),
    formatConstant('serverHeaders', serverHeaders(contract)),
    formatConstant('operations', operations),
    declarations,
  ].join('\n');
}
