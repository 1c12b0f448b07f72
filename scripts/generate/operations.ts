import { type ContractDocument, listOperations, type OperationObject, resolveReference, type SchemaObject } from '../contract/document.ts';

export const generatedNotice = '// Generated from openapi/ by `npm run generate`. Do not edit: change the YAML and generate again.\n';

const lineWidth = 140;

/** A value as TypeScript source: on one line if it fits, otherwise one line for each member. */
function formatLiteral(value: unknown, indent: string): string {
  const short = formatInline(value);
  if (indent.length + short.length <= lineWidth || typeof value !== 'object' || value === null) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((item) => `${inner}${formatLiteral(item, inner)},\n`).join('')}${indent}]`;
  const lines = Object.entries(value).map(([key, item]) => `${inner}${name(key)}: ${formatLiteral(item, inner)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function formatInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatInline).join(', ')}]`;
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${name(key)}: ${formatInline(item)}`);
  return entries.length > 0 ? `{ ${entries.join(', ')} }` : '{}';
}

const name = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key));

function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return `'${escaped.replaceAll("'", "\\'")}'`;
}

/** `export const x = … as const;` */
export const formatConstant = (identifier: string, value: unknown): string =>
  `export const ${identifier} = ${formatLiteral(value, '')} as const;\n`;

/** The error codes of an operation by status: those of its shared responses, then its own. */
export function listErrorCodes(contract: ContractDocument, operation: OperationObject): Record<string, string[]> {
  const codes = Object.entries(operation.responses).map(([status, response]): [string, string[]] => {
    const shared = resolveReference(contract, response)['x-error-codes'] ?? [];
    return [status, [...shared, ...(operation['x-error-codes']?.[status] ?? [])]];
  });
  return Object.fromEntries(codes.filter(([, ofStatus]) => ofStatus.length > 0));
}

/** What every request contains after validation, because the contract declares a default for it. */
function listDefaults(contract: ContractDocument, operation: OperationObject) {
  const defaultsOf = (schemas: [string, SchemaObject][]): Record<string, unknown> => {
    const resolved = schemas.map(([name, schema]) => [name, resolveReference(contract, schema)] as const);
    return Object.fromEntries(resolved.filter(([, schema]) => 'default' in schema).map(([name, schema]) => [name, schema.default]));
  };
  const parameters = (operation.parameters ?? []).map((parameter) => resolveReference(contract, parameter));
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const json = operation.requestBody?.content['application/json'];
  const properties = json ? (resolveReference(contract, json.schema).properties ?? {}) : {};
  return { query: defaultsOf(query.map(({ name, schema }) => [name, schema])), body: defaultsOf(Object.entries(properties)) };
}

function describeOperation(contract: ContractDocument, path: string, method: string, operation: OperationObject) {
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
    confirmPassword: operation['x-confirm-password'] ?? false,
    dryRun: operation['x-dry-run'] ?? false,
    edition: operation['x-edition'] ?? null,
    addOns: operation['x-add-ons'] ?? [],
    switchGroup: operation['x-switch-group'] ?? null,
    body: operation.requestBody ? (operation.requestBody.required ? 'required' : 'optional') : null,
    defaults: listDefaults(contract, operation),
    errorCodes: listErrorCodes(contract, operation),
  };
}

/** Every object of the contract at any depth, except inside values: the example of `GET /openapi` is itself a contract. */
function* walkObjects(node: unknown): Generator<Record<string, unknown>> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield node as Record<string, unknown>;
  for (const [key, part] of Object.entries(node)) if (!['example', 'examples', 'default'].includes(key)) yield* walkObjects(part);
}

/** The names of all properties and parameters with `x-secret`, in lower case, as log redaction compares them. */
function listSecretNames(contract: ContractDocument): string[] {
  const names = new Set<string>();
  const add = (name: string, part: unknown) => {
    const isMarked = typeof part === 'object' && part !== null && (resolveReference(contract, part) as SchemaObject)['x-secret'] === true;
    if (isMarked) names.add(name.toLowerCase());
  };
  for (const part of walkObjects(contract)) {
    if (typeof part['name'] === 'string' && 'in' in part) add(part['name'], part);
    for (const [name, property] of Object.entries(part['properties'] ?? {})) add(name, property);
  }
  return [...names].sort();
}

function listServerHeaders(contract: ContractDocument): string[] {
  const headers = Object.entries(contract.components.headers);
  return headers.filter(([, header]) => header['x-set-by'] === 'server').map(([name]) => name);
}

const declarations = `type Values<Object> = Object[keyof Object];

export type OperationId = keyof typeof operations;
export type AccessLevel = keyof typeof accessLevels;
export type AddOn = keyof typeof addOns;
export type Scope = Exclude<Values<typeof operations>['scope'], 'none'>;
export type SwitchGroup = NonNullable<Values<typeof operations>['switchGroup']>;
/** Set by the server on every response, so a handler does not return it. */
export type ServerHeader = (typeof serverHeaders)[number];
`;

/** generated/operations.ts: the contract's extensions as typed constants. */
export function formatOperations(contract: ContractDocument): string {
  const operations = Object.fromEntries(
    [...listOperations(contract)].map(({ path, method, operation }) => [
      operation.operationId,
      describeOperation(contract, path, method, operation),
    ]),
  );
  return [
    generatedNotice,
    formatConstant('apiVersion', contract.info.version),
    formatConstant('basePath', contract.servers[0]?.url),
    formatConstant('accessLevels', contract['x-access-levels']),
    formatConstant('addOns', contract['x-add-on-catalog']),
    formatConstant('secretNames', listSecretNames(contract)),
    formatConstant('serverHeaders', listServerHeaders(contract)),
    formatConstant('operations', operations),
    declarations,
  ].join('\n');
}
