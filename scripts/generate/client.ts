import {
  type ContractDocument,
  listOperations,
  type OperationObject,
  type ParameterObject,
  resolveReference,
} from '../contract/document.ts';
import { listErrorCodes } from './operations.ts';
import { formatConstant, generatedNotice } from './source.ts';

/** An operation as the client calls it: `coupons.get`. */
interface NamedOperation {
  resource: string;
  name: string;
  /** What the client must know to make the request; the types know the rest. */
  route: string;
  operation: OperationObject;
  heading: string;
}

const declarations = `/** The feed's kinds, each with the webhook event that tells the same. */
export type EventKind = keyof EventOfKind;
/** Every code that an operation of the contract can answer with. */
export type ErrorCode = ErrorCodes[keyof ErrorCodes];
`;

/** What the typed client needs beside the types: a name for each operation, the error codes, and which event tells which kind. */
export function formatClient(contract: ContractDocument): string {
  const named = [...listOperations(contract)].map(({ path, method, operation }) => nameOf(contract, path, method, operation));
  return [
    generatedNotice,
    "import type { operations } from './api.d.ts';\n",
    `/** Method and path below the resource. \`?\`: takes a query or a body. \`!\`: takes an Idempotency-Key. */\n${routesOf(named)}`,
    callsInterface(named),
    errorCodesInterface(contract, named),
    eventsInterface(contract),
    declarations,
  ].join('\n');
}

const byMethod: Record<string, string> = { post: 'create', patch: 'update', put: 'replace', delete: 'delete' };

function nameOf(contract: ContractDocument, path: string, method: string, operation: OperationObject): NamedOperation {
  const [, resource = '', ...below] = path.split('/');
  const parameters = (operation.parameters ?? []).map((parameter) => resolveReference(contract, parameter));
  const word = below.find((part) => !part.startsWith('{'));
  const name = word === undefined ? plainName(contract, method, operation) : subName(word, method, operation);
  const rest = below.map((part) => `/${part}`).join('');
  const route =
    `${method.toUpperCase()} ${rest}${takesInput(parameters, operation) ? '?' : ''}${takesKey(parameters) ? '!' : ''}`.trimEnd();
  return { resource, name, route, operation, heading: `${method.toUpperCase()} ${path}` };
}

function plainName(contract: ContractDocument, method: string, { responses }: OperationObject): string {
  if (method !== 'get') return byMethod[method] ?? method;
  const { 200: found } = responses;
  return found && 'X-Svc-Total' in (resolveReference(contract, found).headers ?? {}) ? 'list' : 'get';
}

/** `stats` of `/coupons/{id}/stats`; what is sent something is set: `setStatus`. */
const subName = (word: string, method: string, { requestBody }: OperationObject): string =>
  method === 'get' || !requestBody ? word : `set${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const takesInput = (parameters: ParameterObject[], { requestBody }: OperationObject): boolean =>
  requestBody !== undefined || parameters.some((parameter) => parameter.in === 'query');

const takesKey = (parameters: ParameterObject[]): boolean => parameters.some(({ name }) => name === 'Idempotency-Key');

const resourcesOf = (named: NamedOperation[]): string[] => [...new Set(named.map(({ resource }) => resource))];

function routesOf(named: NamedOperation[]): string {
  const routes = resourcesOf(named).map((resource) => {
    const ofResource = named.filter((operation) => operation.resource === resource);
    if (new Set(ofResource.map(({ name }) => name)).size < ofResource.length)
      throw new Error(`Two operations of /${resource} would have the same name in the client. Give one of them another path.`);
    return [resource, Object.fromEntries(ofResource.map(({ name, route }) => [name, route]))];
  });
  return formatConstant('routes', Object.fromEntries(routes));
}

/** With the contract's summaries, so that an editor shows them. */
function callsInterface(named: NamedOperation[]): string {
  const resources = resourcesOf(named).map((resource) => {
    const members = named
      .filter((operation) => operation.resource === resource)
      .map(({ name, operation, heading }) => {
        const { operationId, summary } = operation;
        return `    /** ${summary}. \`${heading}\`, operation ${operationId}. */\n    ${name}: operations['${operationId}'];\n`;
      });
    return `  ${resource}: {\n${members.join('')}  };\n`;
  });
  return `export interface CalledOperations {\n${resources.join('')}}\n`;
}

function errorCodesInterface(contract: ContractDocument, named: NamedOperation[]): string {
  const byStatus: Record<string, Set<string>> = {};
  for (const { operation } of named)
    for (const [status, codes] of Object.entries(listErrorCodes(contract, operation)))
      for (const code of codes) (byStatus[status] ??= new Set()).add(code);
  const lines = Object.entries(byStatus).map(([status, codes]) => `  ${status}: ${[...codes].map((code) => `'${code}'`).join(' | ')};\n`);
  return `/** The codes of every operation, by status. */\nexport interface ErrorCodes {\n${lines.join('')}}\n`;
}

function eventsInterface(contract: ContractDocument): string {
  const events = Object.entries(contract.webhooks);
  const kinds = contract.components.schemas.EventKind?.enum ?? [];
  const lines = kinds.map((kind) => {
    const [name] = events.find(([, { post }]) => post['x-feed-kind'] === kind) ?? [];
    return `  ${kind}: ${name === undefined ? 'null' : `'${name}'`};\n`;
  });
  return `export interface EventOfKind {\n${lines.join('')}}\n`;
}
