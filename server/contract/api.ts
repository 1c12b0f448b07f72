import type { ErrorObject } from 'ajv';
import type { DryRunStorage } from '../../db/dry-run.ts';
import { ApiError } from '../../domain/errors.ts';
import { type Caller, callerIsAdmin } from '../../domain/users/user.ts';
import type { OperationId } from '../../generated/operations.ts';
import type { HandlerContext } from '../../handlers/context.ts';
import type { ApiRequest, Handler, HandlerResponse } from '../../handlers/contract-types.ts';
import { handlers } from '../../handlers/index.ts';
import { dryRunHeader, maskUnsaved } from '../../site/document/dry-run.ts';
import { getAvailability, hasDryRun, propertyExists } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { authorise, getNeededConfirmation, needsCsrfToken } from '../auth/authorise.ts';
import { requireConfirmed, requireCsrfToken } from '../auth/session-guard.ts';
import type { CreateContext } from '../handler-context.ts';
import { noRouteError } from '../http/error-response.ts';
import type { Middleware, RequestContext } from '../http/request-context.ts';
import type { EventStreams } from '../streams/event-streams.ts';
import type { Contract } from './contract.ts';
import type { ContractOperation } from './document.ts';
import { readBody } from './read-body.ts';
import { type ContractRequest, createRequest } from './read-request.ts';
import type { ExtendResponse } from './record-extensions.ts';
import { ignoredHeader, listIgnored, sendHandlerResponse } from './send-response.ts';
import { toInvalidParameters } from './validation-errors.ts';

/** What the hooks need beside the request. */
export interface ApiParts {
  contract: Contract;
  createContext: CreateContext;
  /** Runs a handler on a storage that keeps nothing. */
  dryRun<Result>(work: (storage: DryRunStorage) => Promise<Result>): Promise<Result>;
  extendResponse: ExtendResponse;
  streams: Pick<EventStreams, 'open'>;
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

type Respond = (ctx: RequestContext, context: ApiContext, response: HandlerResponse<OperationId>) => unknown;
type Hook = (context: ApiContext, ctx: RequestContext, parts: ApiParts & { respond: Respond }) => unknown;

export interface Api {
  /** Answers requests under `/api`. */
  handle: Middleware;
  /** Runs the operation of a request in this process, for the caller of `ctx`, who is identified and counted. @throws ApiError */
  call(ctx: RequestContext, request: ContractRequest): Promise<HandlerResponse<OperationId>>;
}

/** Registers handlers and hooks, which hold nothing of one service: in tests several share a contract. */
export function createApi(parts: ApiParts): Api {
  const { backend, apiRoot } = parts.contract;
  for (const operationId of Object.keys(handlers)) backend.register(operationId, callHandler);
  for (const [name, hook] of Object.entries(hooks)) backend.register(name, hook);
  const send: Respond = (ctx, { operation, request }, response) => {
    const ignored = parts.reportsIgnored ? listIgnored(operation, request) : '';
    if (response.stream) return parts.streams.open(ctx, response.stream, ignoredHeader(ignored));
    return sendHandlerResponse(ctx, operation, response, ignored);
  };
  const [sending, returning] = [
    { ...parts, respond: send },
    { ...parts, respond: ((_ctx, _context, response) => response) satisfies Respond },
  ];
  return {
    handle: (ctx) => backend.handleRequest(createRequest(ctx, apiRoot), ctx, sending),
    call: (ctx, request) => backend.handleRequest(request, ctx, returning),
  };
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
    if (!isRouted(operationId, request, settings)) rejectRoute(context, ctx, parts);
    ctx.state.operation = operation;
    const caller = requireAccepted(ctx);
    authorise(operationId, caller, settings, request.query);
    refuseForeignPages(operationId, ctx, request.query);
    checkSession(operationId, ctx, request.query);
    if (getAvailability(operationId, settings) === 'unavailable') throw new ApiError('svc_api_unavailable');
    request.hasParameter = (parameter) => propertyExists(parameter, settings);
    request.byAdmin = caller !== null && callerIsAdmin(caller);
    if (operation.requestBody && !request.isInternal) request.requestBody = await readBody(ctx, operation.requestBody);
  },
  notFound: rejectRoute,
  methodNotAllowed: rejectRoute,
  validationFail({ operation, validation }) {
    throw toInvalidParameters(validation.errors, operation);
  },
  postResponseHandler(context, ctx, { extendResponse, respond }) {
    const { operation, request, response } = context;
    const extended = extendResponse(operation.operationId, response, ctx.state.settings);
    return respond(ctx, context, request.isDryRun ? markDryRun(extended) : extended);
  },
};

/** The handler of every operation. The request is validated by the contract, so its values have the types that the handler declares. */
const callHandler: Hook = ({ operation, request, validation }, ctx, { createContext, dryRun }) => {
  const handler = handlers[operation.operationId] as unknown as Handler<OperationId, HandlerContext>;
  const caller = requireAccepted(ctx);
  if (request.isDryRun) return dryRun((storage) => handler(validation.coerced, createContext(ctx, caller, storage)));
  return handler(validation.coerced, createContext(ctx, caller));
};

function markDryRun(response: HandlerResponse<OperationId>): HandlerResponse<OperationId> {
  const { status, headers = {}, body } = response as unknown as { status: number; headers?: object; body: unknown };
  const marked = { ...response, body: maskUnsaved(body, status === 201), headers: { ...headers, [dryRunHeader]: 1 } };
  return marked as unknown as HandlerResponse<OperationId>;
}

const isRouted = (operationId: OperationId, { isDryRun }: ContractRequest, settings: Settings): boolean =>
  getAvailability(operationId, settings) !== 'absent' && (!isDryRun || hasDryRun(operationId, settings));

function rejectRoute({ request }: ApiContext, ctx: RequestContext, { contract: { apiRoot, router } }: ApiParts): never {
  const { state } = ctx;
  const { path } = request;
  if (['/api', '/api/', apiRoot, `${apiRoot}/`].includes(path))
    throw new ApiError('rest_no_route', { message: describeRoot(apiRoot, state.settings) });
  const isServed = (method: string): boolean => {
    const { operationId } = router.matchOperation({ method, path }, true);
    return isRouted(operationId as OperationId, request, state.settings);
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

/** Browsers send an application password that they were asked for with every request, as a cookie. Other programs send no `Sec-Fetch-Site`. */
function refuseForeignPages(operationId: OperationId, ctx: RequestContext, query: string): void {
  const { identity, settings } = ctx.state;
  if (identity.kind !== 'caller' || identity.caller.method !== 'basic') return;
  if (ctx.get('Sec-Fetch-Site') !== 'cross-site' || settings.cors.origins.includes(ctx.get('Origin'))) return;
  if (needsCsrfToken(operationId, query)) throw new ApiError('svc_api_forbidden', { message: foreignPage });
}

const foreignPage = 'A page of another site cannot use your application password. The setting cors.origins lists the pages that can.';

/** Browsers send a cookie with every request to the service, also with one that another site caused, and when their owner is away. */
function checkSession(operationId: OperationId, ctx: RequestContext, query: string): void {
  const { identity } = ctx.state;
  if (identity.kind !== 'caller' || !identity.session) return;
  if (needsCsrfToken(operationId, query)) requireCsrfToken(ctx, identity.session);
  const confirmation = getNeededConfirmation(operationId);
  if (confirmation) requireConfirmed(identity.session, confirmation);
}
