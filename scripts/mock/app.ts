import type { ErrorObject } from 'ajv';
import Koa, { type Context, type Middleware } from 'koa';
import { dayRange } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import { type Contract, loadContract } from '../../server/contract/contract.ts';
import type { ValidRequest } from '../../server/contract/contract-validator.ts';
import type { ContractOperation } from '../../server/contract/document.ts';
import { readBody } from '../../server/contract/read-body.ts';
import { type ContractRequest, createRequest } from '../../server/contract/read-request.ts';
import { toInvalidParameters } from '../../server/contract/validation-errors.ts';
import { noRouteError } from '../../server/http/error-response.ts';
import {
  chooseResponse,
  findDefault,
  formatPreferences,
  listResponses,
  type MockPage,
  type MockResponse,
  makeHeaders,
  mediaTypeOf,
  paginate,
  parsePrefer,
} from './responses.ts';

export interface Mock {
  readonly contract: Contract;
  readonly app: Koa;
}

type Responses = ReadonlyMap<ContractOperation, readonly MockResponse[]>;

/** A server that answers every operation with the contract's examples and refuses what the contract refuses. */
export async function createMock(bundleFile: string): Promise<Mock> {
  const contract = loadContract(bundleFile);
  const responses: Responses = new Map(contract.operations.map((operation) => [operation, listResponses(operation)]));
  requireValidExamples(contract, responses);
  registerHooks(contract, responses);
  const app = new Koa();
  app.use(allowAnyOrigin(contract));
  app.use(handleErrors(contract));
  app.use(async (ctx) => {
    if (ctx.path === '/' && ['GET', 'HEAD'].includes(ctx.method)) ctx.body = describeMock(contract, responses);
    else await contract.backend.handleRequest(createRequest(ctx, contract.apiRoot), ctx);
  });
  return { contract, app };
}

/** Throws if an example breaks the contract, or if a response has none. */
function requireValidExamples(contract: Contract, responses: Responses): void {
  const faults = [...responses].flatMap(([operation, own]) => [
    ...Object.keys(operation.responses)
      .filter((status) => !own.some((response) => String(response.status) === status))
      .map((status) => `${operation.operationId} ${status}: there is no example.`),
    ...(findDefault(own) ? [] : [`${operation.operationId}: there is no successful response.`]),
    ...own.flatMap(({ status, name, body }) => {
      const response = operation.responses[status] ?? {};
      const headers = { 'Content-Type': mediaTypeOf(response), ...makeHeaders(response, paginate(body, {})) };
      return contract.checkResponse(operation.operationId, { status, headers, body }).map((fault) => `example "${name}" of ${fault}`);
    }),
  ]);
  if (faults.length > 0)
    throw new Error(`The contract's examples do not keep the contract:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
}

const defaultRequestHeaders = 'Authorization, Content-Type, Idempotency-Key, Prefer, X-Svc-API-Key, X-Svc-CSRF';

/** CORS for every origin: the mock has nothing to protect, and frontend teams run it beside a dev server on another port. */
function allowAnyOrigin({ operations }: Contract): Middleware {
  const methods = [...new Set(operations.map(({ method }) => method.toUpperCase()))].join(', ');
  const declared = operations.flatMap(({ responses }) => Object.values(responses).flatMap(({ headers }) => Object.keys(headers ?? {})));
  const exposed = [...new Set([...declared, 'Allow', 'Preference-Applied'])].join(', ');
  return async (ctx, next) => {
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Expose-Headers', exposed);
    if (ctx.method !== 'OPTIONS') return next();
    ctx.set('Access-Control-Allow-Methods', methods);
    ctx.set('Access-Control-Allow-Headers', ctx.get('Access-Control-Request-Headers') || defaultRequestHeaders);
    ctx.set('Access-Control-Max-Age', '600');
    ctx.status = 204;
  };
}

/** Sends an ApiError as the error response of the contract. */
function handleErrors(contract: Contract): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof ApiError)) console.error(error);
      const { status, body } = error instanceof ApiError ? error : new ApiError('svc_api_db_error');
      send(ctx, contract, ctx.state['operation'] as ContractOperation | undefined, status, { body, headers: {} });
    }
  };
}

/** openapi-backend's context of a request, with the types of this service. */
interface MockContext {
  request: ContractRequest;
  operation: ContractOperation;
  validation: { errors: ErrorObject[]; coerced: ValidRequest };
}

type Hook = (context: MockContext, ctx: Context) => unknown;

/** No operation has a handler, so `notImplemented` answers each. */
function registerHooks(contract: Contract, responses: Responses): void {
  const { backend, router } = contract;
  const hooks: Record<string, Hook> = {
    notFound(_context, ctx) {
      throw noRouteError(ctx, router.allowedMethods(ctx.path));
    },
    async postRoutingHandler({ operation, request }, ctx) {
      ctx.state['operation'] = operation;
      if (!operation) return;
      requireCredentials(ctx, operation);
      if (operation.requestBody) request.requestBody = await readBody(ctx, operation.requestBody);
    },
    validationFail({ operation, validation }) {
      throw toInvalidParameters(validation.errors, operation);
    },
    notImplemented: ({ operation, validation }, ctx) =>
      sendExample(ctx, contract, operation, responses.get(operation) ?? [], checkRange(validation.coerced)),
  };
  for (const [name, hook] of Object.entries(hooks)) backend.register(name, hook);
}

/** A schema cannot compare two parameters. @throws ApiError if `from` is after `to`. */
function checkRange(request: ValidRequest): ValidRequest {
  dayRange(request.query as { from?: string; to?: string }, '');
  return request;
}

/** Any credentials are accepted, but there must be some: the mock has no users. */
function requireCredentials(ctx: Context, operation: ContractOperation): void {
  if (operation['x-access']?.includes('public')) return;
  if (ctx.get('Authorization') === '' && ctx.get('X-Svc-API-Key') === '') throw new ApiError('svc_api_unauthorized');
}

function sendExample(
  ctx: Context,
  contract: Contract,
  operation: ContractOperation,
  responses: readonly MockResponse[],
  { query }: ValidRequest,
): void {
  const preferences = parsePrefer(ctx.get('Prefer'));
  const chosen = chooseResponse(responses, preferences);
  if (typeof chosen === 'string') {
    // Not a response of the operation, which may declare no 400.
    delete ctx.state['operation'];
    throw new ApiError('rest_invalid_param', { data: { params: { Prefer: chosen } } });
  }
  // Clients are generated from it: an example would give them one path.
  if (operation.operationId === 'get_openapi' && Object.keys(preferences).length === 0)
    return send(ctx, contract, operation, 200, { body: contract.document, headers: {} });
  if (Object.keys(preferences).length > 0) ctx.set('Preference-Applied', formatPreferences(preferences));
  send(ctx, contract, operation, chosen.status, paginate(chosen.body, query));
}

/** Sends a response with its declared headers. One that breaks the contract is a defect of the mock and becomes a 500. */
function send(ctx: Context, contract: Contract, operation: ContractOperation | undefined, status: number, page: MockPage): void {
  // Without an operation: the headers that other operations declare for this status.
  const declaring = operation ?? contract.operations.find(({ responses }) => status in responses);
  ctx.status = status;
  const response = declaring?.responses[status] ?? {};
  ctx.set(makeHeaders(response, page));
  if (page.body !== undefined) {
    ctx.type = mediaTypeOf(response);
    ctx.body = page.body;
  }
  if (!operation) return;
  const faults = contract.checkResponse(operation.operationId, { status, headers: ctx.response.headers, body: page.body });
  if (faults.length === 0) return;
  console.error(`The mock was about to break the contract: ${faults.join(' ')}`);
  ctx.status = 500;
  ctx.body = new ApiError('svc_api_db_error', { message: faults.join(' ') }).body;
}

/** The front page: every operation, and what `Prefer` can select for it. */
const describeMock = (contract: Contract, responses: Responses): object => ({
  title: contract.document.info.title,
  version: contract.document.info.version,
  base: contract.apiRoot,
  operations: contract.operations.map((operation) => ({
    operation: operation.operationId,
    call: `${operation.method.toUpperCase()} ${contract.apiRoot}${operation.path}`,
    summary: operation.summary ?? '',
    examples: namesByStatus(responses.get(operation) ?? []),
  })),
});

function namesByStatus(responses: readonly MockResponse[]): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const { status, name } of responses) (names[status] ??= []).push(name);
  return names;
}
