import type { Contract } from '../../server/contract/contract.ts';
import type { ReceivedResponse } from '../../server/contract/responses.ts';
import type { Attempt } from './attempt.ts';
import { applyRules, invalidCodes } from './documented-rules.ts';
import { expectedRefusal, type Refusal } from './expected-refusal.ts';
import type { FuzzFixture } from './fixture.ts';
import { ownershipFaults } from './ownership.ts';
import type { WireReply } from './wire.ts';

interface ErrorBody {
  code?: string;
  data?: { params?: Record<string, string> };
}

/** Sentences about what is wrong with the response; empty where it is right. */
export function findFaults(attempt: Attempt, replies: readonly WireReply[], contract: Contract, fixture: FuzzFixture): string[] {
  const [first, ...more] = replies;
  if (!first) return ['The connection was closed without a response.'];
  if (more.length > 0) return [`One request got ${replies.length} responses.`];
  const reply = toReply(first, attempt.request.method === 'HEAD' && attempt.expected.kind !== 'unreadable');
  if (attempt.expected.kind === 'unreadable') return unreadableFaults(reply);
  if (attempt.expected.kind === 'no route') return noRouteFaults(reply);
  return [
    ...contract.checkResponse(attempt.plan.operation.operationId, reply),
    ...serverErrorFaults(reply),
    ...meaningFaults(attempt, reply, fixture),
  ];
}

function toReply({ status, headers, text }: WireReply, toHead: boolean): ReceivedResponse {
  return { status, headers, body: text === '' ? undefined : parseJson(text), toHead };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const errorIn = ({ body }: ReceivedResponse): ErrorBody => (typeof body === 'object' && body !== null ? body : {});

/** Also a request that reaches no operation is answered with the documented error. */
function unreadableFaults(reply: ReceivedResponse): string[] {
  const isShaped = errorIn(reply).code?.startsWith('rest_') && reply.headers['x-request-id'] !== undefined;
  return reply.status >= 400 && reply.status < 500 && isShaped
    ? []
    : [`${reply.status} without the documented error: ${String(reply.body)}`];
}

const noRouteFaults = (reply: ReceivedResponse): string[] =>
  reply.status === 404 && (reply.toHead || errorIn(reply).code === 'rest_no_route')
    ? []
    : [`There is no such route, and the response is ${reply.status} ${String(errorIn(reply).code)}.`];

/** The only 5xx allowed is the one of a webhook receiver that fails. */
const serverErrorFaults = ({ status, body }: ReceivedResponse): string[] =>
  status >= 500 && (body as ErrorBody | undefined)?.code !== 'svc_api_delivery_failed' ? [`The service failed: ${status}.`] : [];

function meaningFaults(attempt: Attempt, reply: ReceivedResponse, fixture: FuzzFixture): string[] {
  const { plan, request, expected } = attempt;
  const refusal = expectedRefusal(plan.operation, plan.caller, new URLSearchParams(request.target.split('?')[1] ?? ''));
  if (refusal) return differences(refusal, reply, `${plan.caller.name} must be rejected`);
  if (expected.kind === 'refused')
    return [...differences(expected, reply, 'It is invalid'), ...missingParams(expected.params ?? [], reply)];
  if (expected.kind === 'rejected') return reply.status >= 400 ? [] : [`It cannot be read, and the status is ${reply.status}.`];
  return [...acceptedFaults(attempt, reply, fixture), ...ownershipFaults(attempt, reply.status, reply.body, fixture)];
}

/** A response to HEAD has no code. */
function differences({ status, code }: Refusal, reply: ReceivedResponse, why: string): string[] {
  const actual = reply.toHead ? code : errorIn(reply).code;
  return reply.status === status && actual === code ? [] : [`${why}: ${status} ${code}, not ${reply.status} ${String(actual)}.`];
}

function missingParams(params: readonly string[], reply: ReceivedResponse): string[] {
  const named = errorIn(reply).data?.params ?? {};
  const missing = reply.toHead ? [] : params.filter((name) => !Object.hasOwn(named, name));
  return missing.map((name) => `data.params does not name ${name}, only ${Object.keys(named).join(', ') || 'nothing'}.`);
}

/** 403 errors that depend on stored data, not on the caller's access. */
const dataDependentCodes = new Set([
  'svc_api_cannot_create_for_user',
  'svc_api_cannot_manage_key',
  'svc_api_insufficient_scope',
  'svc_api_requests_disabled',
]);

function acceptedFaults({ plan }: Attempt, reply: ReceivedResponse, fixture: FuzzFixture): string[] {
  const { codes, params, mustBeRejected } = applyRules(plan, fixture);
  if (reply.status < 400) return mustBeRejected ? [`A documented rule rejects it (${[...codes].join(', ')}), and it was accepted.`] : [];
  const { code = '', data } = errorIn(reply);
  if (reply.toHead) return codes.size > 0 || reply.status === 404 ? [] : [`It is valid, and HEAD was answered ${reply.status}.`];
  if (invalidCodes.has(code) && !codes.has(code)) return [`It is valid, and was rejected as invalid: ${JSON.stringify(reply.body)}`];
  const unexpected = Object.keys(data?.params ?? {}).filter((name) => !params.has(name.split('.', 1)[0] ?? ''));
  if (unexpected.length > 0) return [`It is valid, and ${unexpected.join(', ')} was called invalid: ${JSON.stringify(data?.params)}`];
  const isDenied = (reply.status === 401 || reply.status === 403) && !dataDependentCodes.has(code);
  return isDenied ? [`${plan.caller.name} has access, and got ${reply.status} ${code}.`] : [];
}
