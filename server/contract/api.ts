import type { ErrorObject } from 'ajv';
import { ApiError } from '../../domain/errors.ts';
import { type Caller, callerIsAdmin } from '../../domain/users/user.ts';
import type { OperationId } from '../../generated/operations.ts';
import type { HandlerContext } from '../../handlers/context.ts';
import type { ApiRequest, Handler, HandlerResponse } from '../../handlers/contract-types.ts';
import { handlers } from '../../handlers/index.ts';
import { getAvailability, propertyExists } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { authorise, needsConfirmedPassword, needsCsrfToken } from '../auth/authorise.ts';
import { requireCsrfToken } from '../auth/session-guard.ts';
import { noRouteError } from '../http/error-response.ts';
import type { Middleware, RequestContext } from '../http/request-context.ts';
import type { Contract } from './contract.ts';
import type { ContractOperation } from './document.ts';
import { readBody } from './read-body.ts';
import { type ContractRequest, createRequest } from './read-request.ts';
import type { ExtendResponse } from './record-extensions.ts';
import { listIgnored, sendHandlerResponse } from './send-response.ts';
import { toInvalidParameters } from './validation-errors.ts';

/** What the hooks need beside the request. */
export interface ApiParts {
  contract: Contract;
  createContext(ctx: RequestContext, caller: Caller | null): HandlerContext;
  extendResponse: ExtendResponse;
  /** Whether responses name the query parameters that were ignored. */
  reportsIgnored: boolean;
}

/** openapi-backend's context of a request, with the types of this service. */
interface ApiContext {
  request: ContractRequest;
  operation: ContractOperation & { readonly operationId: OperationId };
  validation: { errors: ErrorObject[]; coerced: ApiRequest<OperationId> };
  response: HandlerResponse<OperationId>;
}

type Hook = (context: ApiContext, ctx: RequestContext, parts: ApiParts) => unknown;

/** Registers handlers and hooks, which hold nothing of one service: in tests several share a contract. */
export function createApi(parts: ApiParts): Middleware {
  const { backend } = parts.contract;
  for (const operationId of Object.keys(handlers)) backend.register(operationId, callHandler);
  for (const [name, hook] of Object.entries(hooks)) backend.register(name, hook);
  return (ctx) => backend.handleRequest(createRequest(ctx), ctx, parts);
}

/**
 * openapi-backend's hooks, in the order in which it calls them, which is the order of the errors: 404, 401, 403, 501, 400. Before the last two
 * it validates the request (contract-validator.ts) and calls the handler of the operation. Credentials have been looked up before (admit.ts),
 * because the rate limit and the response cache need the caller.
 */
const hooks: Record<string, Hook> = {
  async postRoutingHandler(context, ctx, parts) {
    const { operation, request } = context;
    // Nothing matches: notFound or methodNotAllowed is called next.
    if (!operation) return;
    const { operationId } = operation;
    const { settings } = ctx.state;
    if (getAvailability(operationId, settings) === 'absent') rejectRoute(context, ctx, parts);
    ctx.state.operation = operation;
    const caller = requireAccepted(ctx);
    authorise(operationId, caller, settings, request.query);
    checkSession(operationId, ctx, request.query);
    if (getAvailability(operationId, settings) === 'unavailable') throw new ApiError('svc_api_unavailable');
    request.hasParameter = (parameter) => propertyExists(parameter, settings);
    request.byAdmin = caller !== null && callerIsAdmin(caller);
    if (operation.requestBody) request.requestBody = await readBody(ctx, operation.requestBody);
  },
  notFound: rejectRoute,
  methodNotAllowed: rejectRoute,
  validationFail({ operation, validation }) {
    throw toInvalidParameters(validation.errors, operation);
  },
  postResponseHandler({ operation, request, response }, ctx, { extendResponse, reportsIgnored }) {
    const ignored = reportsIgnored ? listIgnored(operation, request) : '';
    return sendHandlerResponse(ctx, operation, extendResponse(operation.operationId, response, ctx.state.settings), ignored);
  },
};

/** The handler of every operation. The request is validated by the contract, so its values have the types that the handler declares. */
const callHandler: Hook = ({ operation, validation }, ctx, { createContext }) => {
  const handler = handlers[operation.operationId] as unknown as Handler<OperationId, HandlerContext>;
  return handler(validation.coerced, createContext(ctx, requireAccepted(ctx)));
};

function rejectRoute(_context: unknown, ctx: RequestContext, { contract: { apiRoot, router } }: ApiParts): never {
  const { path, state } = ctx;
  if (['/api', '/api/', apiRoot, `${apiRoot}/`].includes(path))
    throw new ApiError('rest_no_route', { message: describeRoot(apiRoot, state.settings) });
  const isServed = (method: string): boolean => {
    const { operationId } = router.matchOperation({ method, path }, true);
    return getAvailability(operationId as OperationId, state.settings) !== 'absent';
  };
  throw noRouteError(ctx, router.allowedMethods(path).filter(isServed));
}

function describeRoot(apiRoot: string, settings: Settings): string {
  const isDocumentServed = getAvailability('get_openapi', settings) === 'served';
  const places = [...(isDocumentServed ? [`GET ${apiRoot}/openapi lists all operations.`] : []), 'The reference page is at /docs.'];
  return ['There is no operation at this address.', ...places].join(' ');
}

/** Null for an anonymous caller. @throws the error of rejected credentials. */
function requireAccepted({ state: { identity } }: RequestContext): Caller | null {
  if (identity.kind === 'rejected') throw identity.error;
  return identity.kind === 'caller' ? identity.caller : null;
}

/** Browsers send a cookie with every request to the service, also with one that another site caused, and when their owner is away. */
function checkSession(operationId: OperationId, ctx: RequestContext, query: string): void {
  const { identity } = ctx.state;
  if (identity.kind !== 'caller' || !identity.session) return;
  if (needsCsrfToken(operationId, query)) requireCsrfToken(ctx, identity.session);
  if (needsConfirmedPassword(operationId) && !identity.session.isConfirmed) throw new ApiError('svc_api_confirm_password');
}
