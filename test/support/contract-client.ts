import type { Contract } from '../../server/contract/contract.ts';
import type { ContractOperation } from '../../server/contract/document.ts';
import type { ReceivedResponse } from '../../server/contract/responses.ts';
import { dryRunContract } from './contract.ts';

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as a form: `coupon_id=301`. */
  readonly form?: string;
  /** Sent unchanged, without a media type. */
  readonly raw?: NonNullable<RequestInit['body']>;
}

/** Untyped, because tests assert on the body, whose shape the contract has checked before. */
// oxlint-disable-next-line typescript/no-explicit-any
type AnswerBody = any;

export interface CallResult<Body = AnswerBody> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface ContractClient {
  /** The path is relative to the API's root and may carry a query. */
  call<Body = AnswerBody>(method: string, path: string, options?: CallOptions): Promise<CallResult<Body>>;
  get<Body = AnswerBody>(path: string, options?: CallOptions): Promise<CallResult<Body>>;
  post<Body = AnswerBody>(path: string, options?: CallOptions): Promise<CallResult<Body>>;
}

/** Calls a server of this contract and throws if a response, of whatever status, violates it. */
export function contractClient(contract: Contract, origin: string, defaultHeaders: Readonly<Record<string, string>> = {}): ContractClient {
  const call = async (method: string, path: string, options: CallOptions = {}) => {
    const url = `${origin}${contract.apiRoot}${path}`;
    const response = await fetch(url, { method, redirect: 'manual', ...payload(defaultHeaders, options) });
    const text = await readText(response);
    const reply: ReceivedResponse = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: parse(text),
      toHead: method === 'HEAD',
    };
    const faults = faultsOf(contract, method, new URL(url).pathname, reply);
    if (faults.length > 0) throw new Error(`${method} ${path} broke the contract:\n${faults.join('\n')}\n${text}`);
    return { status: response.status, headers: response.headers, body: reply.body as AnswerBody };
  };
  return { call, get: (path, options) => call('GET', path, options), post: (path, options) => call('POST', path, options) };
}

/** Of a stream, which does not end, the first block. */
async function readText(response: Response): Promise<string> {
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

function payload(defaultHeaders: Readonly<Record<string, string>>, { headers, json, form, raw }: CallOptions): RequestInit {
  const type = json !== undefined ? 'application/json' : form !== undefined ? 'application/x-www-form-urlencoded' : undefined;
  const body = json !== undefined ? JSON.stringify(json) : (form ?? raw);
  return {
    headers: { ...defaultHeaders, ...(type && { 'Content-Type': type }), ...headers },
    ...(body !== undefined && { body, duplex: 'half' }),
  };
}

/** Text that is not JSON is returned as text, which no response schema accepts. */
function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function faultsOf(contract: Contract, method: string, path: string, reply: ReceivedResponse): string[] {
  if (path.startsWith(`${contract.apiRoot}/dry-run/`)) return faultsOfDryRun(contract, method, path, reply);
  const operationId = contract.router.matchOperation({ method, path })?.operationId;
  return operationId ? contract.checkResponse(operationId, reply) : strayFaults(contract, contract.router.allowedMethods(path), reply);
}

/** A dry run that is not served, because the add-on is inactive, answers as a path without an operation. */
function faultsOfDryRun(contract: Contract, method: string, path: string, reply: ReceivedResponse): string[] {
  const dryRuns = dryRunContract(contract);
  const operationId = dryRuns.router.matchOperation({ method, path })?.operationId;
  const isAbsent = (reply.body as { code?: unknown } | undefined)?.code === 'rest_no_route';
  return operationId && !isAbsent ? dryRuns.checkResponse(operationId, reply) : [];
}

/** Without an operation, the response must look like that of an operation, with rest_no_route and the right Allow header. */
function strayFaults(contract: Contract, allow: readonly string[], reply: ReceivedResponse): string[] {
  const alike = contract.operations.find(({ responses }: ContractOperation) => reply.status >= 400 && reply.status in responses);
  if (!alike) return [`There is no operation here, but the status is ${reply.status}.`];
  const faults = contract.checkResponse(alike.operationId, reply);
  if (reply.status !== 404) return faults;
  const { code } = (reply.body ?? {}) as { code?: unknown };
  const given = reply.headers['allow'] ?? '';
  return [
    ...faults,
    ...(reply.toHead || code === 'rest_no_route' ? [] : [`There is no operation here, but the code is ${String(code)}.`]),
    ...(given === allow.join(', ') ? [] : [`Allow is "${String(given)}" instead of "${allow.join(', ')}".`]),
  ];
}
