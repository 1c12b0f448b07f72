import { setImmediate } from 'node:timers/promises';
import type { OperationId } from '../../generated/operations.ts';
import type { HandlerResponse } from '../../handlers/contract-types.ts';
import { sendResponse } from '../cache/response-cache.ts';
import { compressedJson } from '../http/compressed-body.ts';
import type { RequestContext, SerializedResponse } from '../http/request-context.ts';
import { readPairs } from './coerce.ts';
import type { ContractOperation } from './document.ts';
import type { ContractRequest } from './read-request.ts';

/** `ignored` names query parameters for a header. */
export async function sendHandlerResponse(
  ctx: RequestContext,
  operation: ContractOperation,
  response: HandlerResponse<OperationId>,
  ignored: string,
): Promise<void> {
  // Never in the response cache, which has one form for all clients.
  if (response.shared) {
    ctx.set(ignoredHeader(ignored));
    return compressedJson(response.body).send(ctx, ctx.state.identity.kind === 'caller' ? 'private, no-cache' : 'no-cache');
  }
  const text = Array.isArray(response.body) ? await serializeList(response.body) : JSON.stringify(response.body);
  const serialized = { operation, status: response.status, headers: listHeaders(response, ignored), body: text };
  if (response.cacheable) ctx.state.cacheable = serialized;
  sendResponse(ctx, serialized);
}

/** None where nothing was ignored. */
export const ignoredHeader = (ignored: string): Readonly<Record<string, string>> => (ignored === '' ? {} : { 'X-Svc-Ignored': ignored });

/** The names of the query parameters that the operation does not have. They come from the caller, so they are encoded and bounded. */
export function listIgnored(
  { parameters }: ContractOperation,
  { query: search, hasParameter = () => true }: Pick<ContractRequest, 'query' | 'hasParameter'>,
): string {
  if (search === '') return '';
  const declared = new Set(
    parameters.flatMap((parameter) => (parameter.in === 'query' && hasParameter(parameter) ? [parameter.name] : [])),
  );
  const unknown = [...readPairs(search).keys()].filter((name) => !declared.has(name));
  return unknown
    .slice(0, 20)
    .map((name) => encodeURIComponent(name.toWellFormed()).slice(0, 100))
    .join(', ');
}

function listHeaders({ headers }: HandlerResponse<OperationId>, ignored: string): SerializedResponse['headers'] {
  const listed: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8', ...ignoredHeader(ignored) };
  for (const [name, value] of Object.entries(headers ?? {})) listed[name] = String(value);
  return listed;
}

const longestPartMs = 5;

/** Lets other requests run after each part: a list of a hundred long records has megabytes. */
async function serializeList(records: readonly unknown[]): Promise<string> {
  const texts: string[] = [];
  let began = performance.now();
  for (const record of records) {
    texts.push(JSON.stringify(record));
    if (performance.now() - began < longestPartMs) continue;
    await setImmediate();
    began = performance.now();
  }
  return `[${texts.join(',')}]`;
}
