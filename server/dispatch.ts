import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../domain/errors.ts';
import { type Caller, callerIsAdmin } from '../domain/users/user.ts';
import type { OperationId } from '../generated/operations.ts';
import type { HandlerContext } from '../handlers/context.ts';
import type { ApiRequest, Handler, HandlerResponse } from '../handlers/contract-types.ts';
import { handlers } from '../handlers/index.ts';
import { getAvailability } from '../site/served.ts';
import type { Settings } from '../site/settings/settings.ts';
import { authorise, needsCsrfToken } from './auth/authorise.ts';
import { csrfHeader, isSameSecret } from './auth/credentials.ts';
import type { Identity } from './auth/identity.ts';
import { sendResponse } from './cache/response-cache.ts';
import { readPairs } from './contract/coerce.ts';
import type { Contract } from './contract/contract.ts';
import type { ContractOperation } from './contract/document.ts';
import { parseRequest } from './contract/parse-request.ts';
import type { ExtendResponse } from './contract/record-extensions.ts';
import { compressedJson } from './http/compressed-body.ts';
import { noRouteError } from './http/error-response.ts';
import type { Middleware, RequestContext, SerializedResponse } from './http/request-context.ts';

export interface DispatchParts {
  contract: Contract;
  createContext(ctx: RequestContext, caller: Caller | null): HandlerContext;
  extendResponse: ExtendResponse;
  /** Whether responses name the query parameters that were ignored. */
  reportsIgnored: boolean;
}

/** Calls the handler of the request's operation. The order of the steps is the order of the errors: 404, 401, 403, 501, 400. */
export function dispatch({ contract, createContext, extendResponse, reportsIgnored }: DispatchParts): Middleware {
  return async (ctx) => {
    const { settings, identity } = ctx.state;
    const { operation, params } = matchServed(ctx, contract);
    const operationId = operation.operationId as OperationId;
    ctx.state.operation = operation;
    const query = new URLSearchParams(ctx.querystring);
    const caller = requireAccepted(identity);
    authorise(operationId, caller, settings, query);
    if (needsCsrfToken(operationId, query)) checkCsrf(ctx);
    if (getAvailability(operationId, settings) === 'unavailable') throw new ApiError('svc_api_unavailable');

    const byAdmin = caller !== null && callerIsAdmin(caller);
    const { params: path, query: values, headers, body } = await parseRequest(ctx, contract, operation, params, byAdmin);
    // Validated by the contract, so the values have the types of the handler's request.
    const request = { path, query: values, headers, body } as ApiRequest<OperationId>;
    const handler = handlers[operationId] as unknown as Handler<OperationId, HandlerContext>;
    const response = extendResponse(operationId, await handler(request, createContext(ctx, caller)), settings);
    const ignored = reportsIgnored ? listIgnored(operation, ctx.querystring) : '';
    // Never in the response cache, which has one form for all clients.
    if (response.shared) {
      if (ignored !== '') ctx.set(ignoredHeader, ignored);
      return compressedJson(response.body).send(ctx, caller === null ? 'no-cache' : 'private, no-cache');
    }
    const text = Array.isArray(response.body) ? await serializeList(response.body) : JSON.stringify(response.body);
    const serialized = { operation, status: response.status, headers: listHeaders(response, ignored), body: text };
    if (response.cacheable) ctx.state.cacheable = serialized;
    return sendResponse(ctx, serialized);
  };
}

function matchServed(ctx: RequestContext, contract: Contract): { operation: ContractOperation; params: Record<string, string> } {
  const find = (method: string) => {
    const match = contract.match(method, ctx.path);
    const isPresent = match.found && getAvailability(match.operation.operationId as OperationId, ctx.state.settings) !== 'absent';
    return isPresent ? match : undefined;
  };
  const match = find(ctx.method);
  if (match) return match;
  if (isRoot(ctx.path, contract.apiRoot))
    throw new ApiError('rest_no_route', { message: describeRoot(contract.apiRoot, ctx.state.settings) });
  throw noRouteError(
    ctx,
    ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST'].filter((method) => find(method)),
  );
}

const isRoot = (path: string, apiRoot: string): boolean => ['/api', '/api/', apiRoot, `${apiRoot}/`].includes(path);

function describeRoot(apiRoot: string, settings: Settings): string {
  const isDocumentServed = getAvailability('get_openapi', settings) === 'served';
  const places = [...(isDocumentServed ? [`GET ${apiRoot}/openapi lists all operations.`] : []), 'The reference page is at /docs.'];
  return ['There is no operation at this address.', ...places].join(' ');
}

/** Null for an anonymous caller. @throws the error of rejected credentials. */
function requireAccepted(identity: Identity): Caller | null {
  if (identity.kind === 'rejected' || identity.kind === 'locked_out') throw identity.error;
  return identity.kind === 'caller' ? identity.caller : null;
}

/** Browsers send a cookie with every request to the service, also with one that another site caused. */
function checkCsrf(ctx: RequestContext): void {
  const { identity } = ctx.state;
  if (identity.kind !== 'caller' || identity.csrfToken === undefined) return;
  if (!isSameSecret(identity.csrfToken, ctx.get(csrfHeader))) throw new ApiError('svc_api_csrf_failed');
}

const ignoredHeader = 'X-Svc-Ignored';

/** The names of the query parameters that the operation does not have. They come from the caller, so they are encoded and bounded. */
function listIgnored({ parameters }: ContractOperation, search: string): string {
  if (search === '') return '';
  const declared = new Set(parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : [])));
  const unknown = [...readPairs(search).keys()].filter((name) => !declared.has(name));
  return unknown
    .slice(0, 20)
    .map((name) => encodeURIComponent(name.toWellFormed()).slice(0, 100))
    .join(', ');
}

function listHeaders({ headers }: HandlerResponse<OperationId>, ignored: string): SerializedResponse['headers'] {
  const own = Object.entries(headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  if (ignored !== '') own.push([ignoredHeader, ignored]);
  return [...own, ['Content-Type', 'application/json; charset=utf-8']];
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
