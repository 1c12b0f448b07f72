import type { Contract } from '../../server/contract/contract.ts';
import type { ReceivedResponse } from '../../server/contract/responses.ts';
import type { Attempt } from './attempt.ts';
import { invalidCodes, judgedByRules } from './documented-rules.ts';
import { gateOf, type Refusal } from './gate.ts';
import { ownershipFaults } from './ownership.ts';
import type { WireReply } from './wire.ts';
import type { World } from './world.ts';

interface ErrorBody {
  code?: string;
  data?: { params?: Record<string, string> };
}

/** Sentences about what should have been answered otherwise; none where all is well. */
export function faultsOf(attempt: Attempt, replies: readonly WireReply[], contract: Contract, world: World): string[] {
  const [first, ...more] = replies;
  if (!first) return ['The connection was closed without an answer.'];
  if (more.length > 0) return [`One request got ${replies.length} answers.`];
  const reply = read(first, attempt.request.method === 'HEAD' && attempt.expected.kind !== 'unreadable');
  if (attempt.expected.kind === 'unreadable') return unreadableFaults(reply);
  if (attempt.expected.kind === 'no route') return noRouteFaults(reply);
  return [...contract.checkResponse(attempt.plan.operation.operationId, reply), ...failure(reply), ...meaningFaults(attempt, reply, world)];
}

function read({ status, headers, text }: WireReply, toHead: boolean): ReceivedResponse {
  return { status, headers, body: text === '' ? undefined : parsed(text), toHead };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const errorIn = ({ body }: ReceivedResponse): ErrorBody => (typeof body === 'object' && body !== null ? body : {});

/** Every answer is JSON of the documented shape, also to what never reached an operation. */
function unreadableFaults(reply: ReceivedResponse): string[] {
  const isShaped = errorIn(reply).code?.startsWith('rest_') && reply.headers['x-request-id'] !== undefined;
  return reply.status >= 400 && reply.status < 500 && isShaped
    ? []
    : [`${reply.status} without the documented error: ${String(reply.body)}`];
}

const noRouteFaults = (reply: ReceivedResponse): string[] =>
  reply.status === 404 && (reply.toHead || errorIn(reply).code === 'rest_no_route')
    ? []
    : [`There is no such route, and the answer is ${reply.status} ${String(errorIn(reply).code)}.`];

/** A receiver of webhooks may fail; the service may not. */
const failure = ({ status, body }: ReceivedResponse): string[] =>
  status >= 500 && (body as ErrorBody | undefined)?.code !== 'svc_api_delivery_failed' ? [`The service failed: ${status}.`] : [];

function meaningFaults(attempt: Attempt, reply: ReceivedResponse, world: World): string[] {
  const { plan, request, expected } = attempt;
  const refusal = gateOf(plan.operation, plan.caller, new URLSearchParams(request.target.split('?')[1] ?? ''));
  if (refusal) return differences(refusal, reply, `${plan.caller.name} must be turned away`);
  if (expected.kind === 'refused') return [...differences(expected, reply, 'It is invalid'), ...unnamed(expected.params ?? [], reply)];
  if (expected.kind === 'turned away') return reply.status >= 400 ? [] : [`It cannot be read, and the status is ${reply.status}.`];
  return [...acceptedFaults(attempt, reply, world), ...ownershipFaults(attempt, reply.status, reply.body, world)];
}

/** An answer to HEAD has no body to tell its code. */
function differences({ status, code }: Refusal, reply: ReceivedResponse, why: string): string[] {
  const given = reply.toHead ? code : errorIn(reply).code;
  return reply.status === status && given === code ? [] : [`${why}: ${status} ${code}, not ${reply.status} ${String(given)}.`];
}

function unnamed(params: readonly string[], reply: ReceivedResponse): string[] {
  const named = errorIn(reply).data?.params ?? {};
  const missing = reply.toHead ? [] : params.filter((name) => !Object.hasOwn(named, name));
  return missing.map((name) => `data.params does not name ${name}, only ${Object.keys(named).join(', ') || 'nothing'}.`);
}

/** Refused by the data, not by the caller: declared by the contract for the operations that raise them. */
const ofTheData = new Set([
  'svc_api_cannot_create_for_user',
  'svc_api_cannot_manage_key',
  'svc_api_insufficient_scope',
  'svc_api_requests_disabled',
]);

function acceptedFaults({ plan }: Attempt, reply: ReceivedResponse, world: World): string[] {
  const { codes, params, mustBeRefused } = judgedByRules(plan, world);
  if (reply.status < 400) return mustBeRefused ? [`A documented rule refuses it (${[...codes].join(', ')}), and it was accepted.`] : [];
  const { code = '', data } = errorIn(reply);
  if (reply.toHead) return codes.size > 0 || reply.status === 404 ? [] : [`It is valid, and HEAD was answered ${reply.status}.`];
  if (invalidCodes.has(code) && !codes.has(code)) return [`It is valid, and was refused as invalid: ${JSON.stringify(reply.body)}`];
  const strange = Object.keys(data?.params ?? {}).filter((name) => !params.has(name));
  if (strange.length > 0) return [`It is valid, and ${strange.join(', ')} was called invalid: ${JSON.stringify(data?.params)}`];
  const isDenied = (reply.status === 401 || reply.status === 403) && !ofTheData.has(code);
  return isDenied ? [`${plan.caller.name} may do this, and got ${reply.status} ${code}.`] : [];
}
