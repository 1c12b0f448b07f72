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

/** The request that a client would send by HTTP. The pipeline validates it. */
export function createToolRequest({ operationId, arguments: places }: Tool, given: ToolArguments, isDryRun: boolean): ContractRequest {
  const { path: template, method } = operations[operationId];
  const sent = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const inQuery = sent.filter(([name]) => places[name] === 'query');
  const query = new URLSearchParams(inQuery.map(([name, value]): [string, string] => [name, toText(value)]));
  if (places.per_page) query.set('per_page', String(Math.min(Number(given.per_page ?? defaultPerPage), maxPerPage)));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(toText(given[name])));
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

/** An empty segment would be another path, and an object never fits. */
function toText(value: unknown): string {
  const text = Array.isArray(value) ? value.join(',') : typeof value === 'object' ? '' : String(value ?? '');
  return text === '' ? '-' : text.toWellFormed();
}
