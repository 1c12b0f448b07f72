import {
  type ContractDocument,
  listOperations,
  type OperationObject,
  type ParameterObject,
  resolveReference,
  type SchemaObject,
} from '../contract/document.ts';
import { formatSource } from '../contract/pointer.ts';
import { formatConstant, generatedNotice, listErrorCodes } from './operations.ts';

/** An operation as the client calls it: `coupons.get`. */
interface NamedOperation {
  resource: string;
  name: string;
  /** Method and path below the resource, with the markers that `routes` documents. */
  route: string;
  operation: OperationObject;
  heading: string;
  /** `openapi/paths/coupons.yaml:1`. */
  source: string;
}

const declarations = `/** The kinds of the change feed. \`EventOfKind\` maps each to its webhook event. */
export type EventKind = keyof EventOfKind;
/** Every error code that an operation of the contract can return. */
export type ErrorCode = ErrorCodes[keyof ErrorCodes];
`;

/** generated/client.ts, what the client package needs beside the types: operation names, error codes, and the event of each feed kind. */
export function formatClient(contract: ContractDocument): string {
  // A stream is no call: `follow()` of the client reads it.
  const calls = [...listOperations(contract)].filter(({ operation }) => !isStream(operation));
  const named = calls.map(({ path, method, operation }) => nameOperation(contract, path, method, operation));
  return [
    generatedNotice,
    "import type { operations } from './api.d.ts';\n",
    `/** Method and path below the resource. \`?\`: has a query. \`+\`: has a body. \`!\`: accepts an Idempotency-Key. \`#id\`: the key of the records. */\n${formatRoutes(named)}`,
    formatCalls(named),
    formatErrorCodes(contract),
    formatEvents(contract),
    declarations,
  ].join('\n');
}

const isStream = ({ responses }: OperationObject): boolean => 'text/event-stream' in (responses['200']?.content ?? {});

const byMethod: Record<string, string> = { post: 'create', patch: 'update', put: 'replace', delete: 'delete' };

function nameOperation(contract: ContractDocument, path: string, method: string, operation: OperationObject): NamedOperation {
  const [, resource = '', ...below] = path.split('/');
  const parameters = (operation.parameters ?? []).map((parameter) => resolveReference(contract, parameter));
  const word = below.findLast((part) => !part.startsWith('{'));
  const isOfOne = path.endsWith('}') || (method === 'post' && 'get' in (contract.paths[path] ?? {}));
  const name = word === undefined ? nameOfMethod(contract, method, operation) : nameOfSubresource(word, method, isOfOne);
  const rest = below.map((part) => `/${part}`).join('');
  const markers = [
    parameters.some((parameter) => parameter.in === 'query') ? '?' : '',
    operation.requestBody ? '+' : '',
    acceptsIdempotencyKey(parameters) ? '!' : '',
    keyOfItems(contract, operation),
  ];
  const route = `${method.toUpperCase()} ${rest}${markers.join('')}`.trimEnd();
  requireSupported(contract, path, method, operation, parameters);
  return {
    resource: toCamelCase(resource),
    name,
    route,
    operation,
    heading: `${method.toUpperCase()} ${path}`,
    source: formatSource(path, method),
  };
}

function nameOfMethod(contract: ContractDocument, method: string, { responses }: OperationObject): string {
  if (method !== 'get') return byMethod[method] ?? method;
  const { 200: found } = responses;
  return found && 'X-Svc-Total' in (resolveReference(contract, found).headers ?? {}) ? 'list' : 'get';
}

/**
 * `stats` for GET `/coupons/{id}/stats`; `preview` for POST `/registrations/{id}/preview`; `setStatus` for POST `/payouts/{id}/status`;
 * `updateProfile` for PATCH `/me/profile`; `createConnection` for POST `/store/connections`, which GET lists.
 */
function nameOfSubresource(word: string, method: string, isOfOne: boolean): string {
  if (method !== 'get' && word === 'status') return 'setStatus';
  const verb = method === 'get' || (method === 'post' && !isOfOne) ? '' : `${byMethod[method]}-`;
  return toCamelCase(`${verb}${isOfOne ? word.replace(/s$/, '') : word}`);
}

/** `payoutRuns` for `/payout-runs`. */
const toCamelCase = (words: string): string => words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const acceptsIdempotencyKey = (parameters: ParameterObject[]): boolean => parameters.some(({ name }) => name === 'Idempotency-Key');

function keyOfItems(contract: ContractDocument, { responses }: OperationObject): string {
  const { schema } = (responses['200']?.content?.['application/json'] ?? {}) as { schema?: { items?: SchemaObject } };
  const key = schema?.items && resolveReference(contract, schema.items)['x-key'];
  return key === undefined ? '' : `#${key}`;
}

/** Names of the client beside its resources. */
const reserved = ['baseUrl', 'fetch'];

/** Throws, with the place in the YAML, for what a call could not send or return as its types say. */
function requireSupported(
  contract: ContractDocument,
  path: string,
  method: string,
  { requestBody, responses }: OperationObject,
  parameters: ParameterObject[],
): void {
  const refuse = (sentence: string, ...keys: string[]): never => {
    throw new Error(`${formatSource(path, method, ...keys)} The client cannot call ${method.toUpperCase()} ${path}: ${sentence}`);
  };
  const resource = path.split('/')[1] ?? '';
  if (resource.startsWith('{') || reserved.includes(toCamelCase(resource))) refuse('its resource needs another name. Change the path.');
  const header = parameters.find(({ in: place, name }) => place === 'header' && name !== 'Idempotency-Key');
  if (header) refuse(`it sends no header but Idempotency-Key. Make ${header.name} a query parameter.`, 'parameters');
  const status = Object.keys(responses).find((name) => !/^(20[0-6]|[345]\d\d)$/.test(name));
  if (status) refuse(`it knows successes from 200 to 206, not ${status}. Declare one of these.`, 'responses', status);
  if (method === 'get' && requestBody) refuse('browsers send no body with GET. Make its fields query parameters.', 'requestBody');
  const [empty] = Object.entries(responses).find(([name, response]) => /^20[0-356]$/.test(name) && !hasJson(contract, response)) ?? [];
  if (empty) refuse(`its ${empty} has no JSON. Answer a record, or declare 204.`, 'responses', empty);
}

const hasJson = (contract: ContractDocument, response: OperationObject['responses'][string]): boolean =>
  'application/json' in (resolveReference(contract, response).content ?? {});

const resourcesOf = (named: NamedOperation[]): string[] => [...new Set(named.map(({ resource }) => resource))];

function formatRoutes(named: NamedOperation[]): string {
  const routes = resourcesOf(named).map((resource) => {
    const ofResource = named.filter((operation) => operation.resource === resource);
    const twice = ofResource.find(({ name }, at) => ofResource.findIndex((other) => other.name === name) < at);
    if (twice) {
      const first = ofResource.find(({ name }) => name === twice.name);
      throw new Error(
        `${twice.source} ${twice.heading} and ${first?.heading} would both be ${resource}.${twice.name} in the client. Change one path.`,
      );
    }
    return [resource, Object.fromEntries(ofResource.map(({ name, route }) => [name, route]))];
  });
  return formatConstant('routes', Object.fromEntries(routes));
}

/** With the contract's summaries as doc comments, which editors show. */
function formatCalls(named: NamedOperation[]): string {
  const resources = resourcesOf(named).map((resource) => {
    const members = named
      .filter((operation) => operation.resource === resource)
      .map(({ name, operation, heading }) => {
        const { operationId, summary } = operation;
        return `    /** ${summary.replaceAll('*/', '*\\/')}. \`${heading}\`, operation ${operationId}. */\n    ${name}: operations['${operationId}'];\n`;
      });
    return `  ${resource}: {\n${members.join('')}  };\n`;
  });
  return `export interface CalledOperations {\n${resources.join('')}}\n`;
}

function formatErrorCodes(contract: ContractDocument): string {
  const byStatus: Record<string, Set<string>> = {};
  for (const { operation } of listOperations(contract))
    for (const [status, codes] of Object.entries(listErrorCodes(contract, operation)))
      for (const code of codes) (byStatus[status] ??= new Set()).add(code);
  const lines = Object.entries(byStatus).map(([status, codes]) => `  ${status}: ${[...codes].map((code) => `'${code}'`).join(' | ')};\n`);
  return `/** The codes of every operation, by status. */\nexport interface ErrorCodes {\n${lines.join('')}}\n`;
}

function formatEvents(contract: ContractDocument): string {
  const events = Object.entries(contract.webhooks);
  const kinds = contract.components.schemas.EventKind?.enum ?? [];
  const lines = kinds.map((kind) => {
    const [name] = events.find(([, { post }]) => post['x-feed-kind'] === kind) ?? [];
    return `  ${kind}: ${name === undefined ? 'null' : `'${name}'`};\n`;
  });
  return `export interface EventOfKind {\n${lines.join('')}}\n`;
}
