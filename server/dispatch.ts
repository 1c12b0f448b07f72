import { ApiError } from '../domain/errors.ts';
import type { Caller } from '../domain/users/caller.ts';
import type { OperationId } from '../generated/operations.ts';
import type { HandlerContext } from '../handlers/context.ts';
import type { ApiRequest, Handler, HandlerResponse } from '../handlers/contract-types.ts';
import { getAvailability } from '../site/served.ts';
import { authorise, needsCsrfToken } from './auth/authorise.ts';
import { csrfHeader } from './auth/credentials.ts';
import type { Identity } from './auth/identity.ts';
import { isSameSecret } from './auth/timing-safe-equal.ts';
import { type SerializedResponse, sendResponse } from './cache/response-cache.ts';
import { accept } from './contract/accept.ts';
import type { Contract } from './contract/contract.ts';
import type { ContractOperation } from './contract/document.ts';
import type { Presentation } from './contract/record-extensions.ts';
import { compressedJson } from './http/compressed-body.ts';
import { noRoute } from './http/error-response.ts';
import type { Middleware, RequestContext } from './http/request-context.ts';

export interface Dispatching {
  contract: Contract;
  handlers: Partial<Record<OperationId, Handler<OperationId, HandlerContext>>>;
  /** What a handler is given beside the request. */
  contextOf(ctx: RequestContext, caller: Caller | null): HandlerContext;
  present: Presentation;
}

/** Calls the handler of the request's operation. The order of the steps is the order of the errors: 404, 401, 403, 501, 400. */
export function dispatch(parts: Dispatching): Middleware {
  return async (ctx) => {
    const { operation, params } = served(ctx, parts);
    const operationId = operation.operationId as OperationId;
    ctx.state.operation = operation;
    const query = new URLSearchParams(ctx.querystring);
    const caller = callerOf(ctx.state.identity);
    authorise(operationId, caller, ctx.state.settings, query);
    if (needsCsrfToken(operationId, query)) checkCsrf(ctx);
    if (getAvailability(operationId, ctx.state.settings) === 'unavailable') throw new ApiError('svc_api_unavailable');

    const handler = parts.handlers[operationId];
    if (!handler) throw new Error(`${operationId} is served but has no handler`);
    const request = await validated(ctx, parts.contract, operation, params);
    const made = await handler(request, parts.contextOf(ctx, caller));
    const reply = parts.present(operationId, made, ctx.state.settings);
    // Never in the response cache, which holds one form for all clients.
    if (reply.shared) return compressedJson(reply.body).send(ctx, caller === null ? 'no-cache' : 'private, no-cache');
    const response = serialize(operation, reply);
    if (reply.cacheable) ctx.state.cacheable = response;
    return sendResponse(ctx, response);
  };
}

function served(ctx: RequestContext, { contract }: Dispatching): { operation: ContractOperation; params: Record<string, string> } {
  const find = (method: string) => {
    const match = contract.match(method, ctx.path);
    const isThere = match.found && getAvailability(match.operation.operationId as OperationId, ctx.state.settings) !== 'absent';
    return isThere ? match : undefined;
  };
  const match = find(ctx.method);
  if (match) return match;
  throw noRoute(
    ctx,
    ['DELETE', 'GET', 'PATCH', 'POST'].filter((method) => find(method)),
  );
}

function callerOf(identity: Identity): Caller | null {
  if (identity.kind === 'refused' || identity.kind === 'locked_out') throw identity.error;
  return identity.kind === 'caller' ? identity.caller : null;
}

/** Decision 3: a cookie goes with every request to the service, also with one that another site made the browser send. */
function checkCsrf(ctx: RequestContext): void {
  const { identity } = ctx.state;
  if (identity.kind !== 'caller' || identity.csrfToken === undefined) return;
  if (!isSameSecret(identity.csrfToken, ctx.get(csrfHeader))) throw new ApiError('svc_api_csrf_failed');
}

/** The contract has just been enforced, so the values are what its types say. */
async function validated(
  ctx: RequestContext,
  contract: Contract,
  operation: ContractOperation,
  params: Record<string, string>,
): Promise<ApiRequest<OperationId>> {
  const { params: path, query, headers, body } = await accept(ctx, contract, operation, params);
  return { path, query, headers, body } as ApiRequest<OperationId>;
}

function serialize(operation: ContractOperation, { status, headers, body }: HandlerResponse<OperationId>): SerializedResponse {
  const own = Object.entries(headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  return { operation, status, headers: [...own, ['Content-Type', 'application/json; charset=utf-8']], body: JSON.stringify(body) };
}
