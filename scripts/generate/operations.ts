import { type Contract, type Operation, operationsOf, resolve, type Schema } from '../contract/document.ts';
import { constant, generatedNotice } from './source.ts';

/** What an operation can raise: the codes of its shared responses, then its own. */
export function errorCodes(contract: Contract, operation: Operation): Record<string, string[]> {
  const own = operation['x-error-codes'] ?? {};
  const codes: Record<string, string[]> = {};
  for (const [status, response] of Object.entries(operation.responses)) {
    const shared = resolve(contract, response)['x-error-codes'] ?? [];
    const all = [...shared, ...(own[status] ?? [])];
    if (all.length > 0) codes[status] = all;
  }
  return codes;
}

const defaultsOf = (contract: Contract, named: [string, Schema][]): Record<string, unknown> =>
  Object.fromEntries(
    named
      .map(([name, schema]): [string, Schema] => [name, resolve(contract, schema)])
      .filter(([, schema]) => 'default' in schema)
      .map(([name, schema]) => [name, schema.default]),
  );

/** What the request always holds, because the contract gives it a default. */
function defaults(contract: Contract, operation: Operation) {
  const query = (operation.parameters ?? [])
    .map((parameter) => resolve(contract, parameter))
    .filter((parameter) => parameter.in === 'query');
  const json = operation.requestBody?.content['application/json'];
  const properties = json ? (resolve(contract, json.schema).properties ?? {}) : {};
  return {
    query: defaultsOf(
      contract,
      query.map(({ name, schema }) => [name, schema]),
    ),
    body: defaultsOf(contract, Object.entries(properties)),
  };
}

function facts(contract: Contract, path: string, method: string, operation: Operation) {
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
    errorCodes: errorCodes(contract, operation),
  };
}

/** Every part of the contract at any depth, but for values: the example of `GET /openapi` is a contract of its own. */
function* partsOf(node: unknown): Generator<Record<string, unknown>> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield node as Record<string, unknown>;
  for (const [key, part] of Object.entries(node)) if (!['example', 'examples', 'default'].includes(key)) yield* partsOf(part);
}

/** Properties and parameters that lint made sure are marked, wherever they stand; in lower case, as the log compares them. */
function secretNames(contract: Contract): string[] {
  const names = new Set<string>();
  const add = (name: string, part: unknown) => {
    const isMarked = typeof part === 'object' && part !== null && (resolve(contract, part) as Schema)['x-secret'] === true;
    if (isMarked) names.add(name.toLowerCase());
  };
  for (const part of partsOf(contract)) {
    if (typeof part['name'] === 'string' && 'in' in part) add(part['name'], part);
    for (const [name, property] of Object.entries(part['properties'] ?? {})) add(name, property);
  }
  return [...names].sort();
}

function serverHeaders(contract: Contract): string[] {
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
export function operationsModule(contract: Contract): string {
  const operations = Object.fromEntries(
    [...operationsOf(contract)].map(({ path, method, operation }) => [operation.operationId, facts(contract, path, method, operation)]),
  );
  return [
    generatedNotice,
    constant('apiVersion', contract.info.version),
    constant('basePath', contract.servers[0]?.url),
    constant('accessLevels', contract['x-access-levels']),
    constant('addOns', contract['x-add-on-catalog']),
    constant('secretNames', secretNames(contract)),
    constant('serverHeaders', serverHeaders(contract)),
    constant('operations', operations),
    declarations,
  ].join('\n');
}
