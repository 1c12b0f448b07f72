import { ApiError } from '../../domain/errors.ts';
import { basePath, type OperationId, operations } from '../../generated/operations.ts';
import { type ToolName, tools } from '../../generated/tools.ts';
import type { ContractRequest } from '../contract/read-request.ts';

/** A tool as generated from the contract. */
export interface Tool {
  readonly operationId: OperationId;
  readonly title: string;
  readonly description: string;
  readonly isWrite: boolean;
  /** The place of each argument that is not in the body. */
  readonly arguments: Readonly<Record<string, 'path' | 'query'>>;
  readonly inputSchema: { readonly type: 'object' };
  readonly outputSchema: { readonly type: 'object' };
}

export const toolsByName = new Map<string, Tool>(Object.entries(tools as unknown as Record<ToolName, Tool>));

export type ToolArguments = Readonly<Record<string, unknown>>;

const defaultPerPage = 20;
const maxPerPage = 50;

/** The request that a client would send by HTTP. The pipeline validates it. @throws ApiError if a query parameter is an object. */
export function createToolRequest({ operationId, arguments: places }: Tool, given: ToolArguments, isDryRun: boolean): ContractRequest {
  const { path: template, method } = operations[operationId];
  const sent = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams();
  for (const [name, value] of sent.filter(([name]) => places[name] === 'query')) query.set(name, toQueryText(name, value));
  if (places.per_page) query.set('per_page', String(Math.min(Number(given.per_page || defaultPerPage), maxPerPage)));
  // An empty segment would be another path.
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(toText(given[name]) || '-'));
  const body = Object.fromEntries(sent.filter(([name]) => !Object.hasOwn(places, name) && name !== 'confirm'));
  return {
    method: method.toUpperCase(),
    path: basePath + path,
    headers: {},
    query: query.toString(),
    params: {},
    cookies: {},
    requestBody: body,
    isDryRun,
    isInternal: true,
  };
}

/** The text of an object would be searched for, and found nowhere. */
function toQueryText(name: string, value: unknown): string {
  if (typeof value !== 'object' || Array.isArray(value)) return toText(value);
  const sentence = `${name} must be a text, a number or a list.`;
  throw new ApiError('rest_invalid_param', { message: sentence, data: { params: { [name]: sentence } } });
}

const toText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value ?? '')).toWellFormed();
