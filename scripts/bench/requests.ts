import { isDeepStrictEqual } from 'node:util';
import { adminId, tokenOf } from './dataset/sizes.ts';
import type { NextRequest, WireRequest } from './load.ts';
import type { ServerProcess } from './processes.ts';
import type { TargetName } from './targets.ts';

export interface BenchRequest {
  /** Below `/api/v2`, or of a page where there is no user. */
  path: string;
  userId?: number;
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON; a text as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** 200 by default. */
  expect?: number;
}

export const byAdmin = (path: string): BenchRequest => ({ path, userId: adminId });

const urlOf = ({ path, userId }: BenchRequest): string => (userId === undefined ? path : `/api/v2${path}`);

const contentOf = ({ body }: BenchRequest): string => (typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));

/** As a proxy in front of the service forwards them. */
const headersOf = ({ userId, body, headers }: BenchRequest): Record<string, string> => ({
  ...(userId !== undefined && { Authorization: `Bearer ${tokenOf(userId)}` }),
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-For': '192.0.2.10',
  Accept: 'application/json',
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
  ...headers,
});

export function wireRequest(request: BenchRequest): WireRequest {
  const { method = 'GET', expect = 200 } = request;
  const content = contentOf(request);
  const headers = { Host: 'bench', ...headersOf(request), ...(content && { 'Content-Length': String(Buffer.byteLength(content)) }) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { bytes: Buffer.from([`${method} ${urlOf(request)} HTTP/1.1`, ...lines, '', content].join('\r\n')), expect };
}

/** `cached` and `uncached` cycle through the requests; `uncached` adds a meaningless parameter, so that no cached response matches. */
export type Repetition = 'cached' | 'uncached' | 'once';

export function repeat(requests: readonly BenchRequest[], repetition: Repetition): NextRequest {
  const wires = repetition === 'uncached' ? [] : requests.map(wireRequest);
  let index = -1;
  return () => {
    index += 1;
    if (repetition === 'once') return wires[index] ?? null;
    const request = requests[index % requests.length];
    if (repetition === 'cached' || !request) return wires[index % requests.length] ?? null;
    return wireRequest({ ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}n=${index}` });
  };
}

interface ApiResponse {
  body: unknown;
  bytes: number;
  headers: Headers;
}

/** Sends one request outside of the load. */
export async function send(port: number, request: BenchRequest): Promise<ApiResponse> {
  const { path, method = 'GET', body, expect = 200 } = request;
  const response = await fetch(`http://127.0.0.1:${port}${urlOf(request)}`, {
    method,
    headers: headersOf(request),
    ...(body !== undefined && { body: contentOf(request) }),
  });
  const text = await response.text();
  if (response.status !== expect)
    throw new Error(`${method} ${path} returned ${response.status} instead of ${expect}: ${text.slice(0, 300)}`);
  return { body: JSON.parse(text) as unknown, bytes: Buffer.byteLength(text), headers: response.headers };
}

export async function countPages(port: number, path: string): Promise<number> {
  const { headers } = await send(port, byAdmin(path));
  return Number(headers.get('X-Svc-TotalPages'));
}

const comparedRequests = 5;

/** A target that does less would win for nothing. @throws where a peer responds otherwise than the service; an earlier version may, with a warning. */
export async function compareResponses(servers: ReadonlyMap<TargetName, ServerProcess>, requests: readonly BenchRequest[]): Promise<void> {
  const service = servers.get('service');
  if (!service) return;
  const step = Math.max(1, Math.floor(requests.length / comparedRequests));
  for (const request of requests.filter((_, index) => index % step === 0).slice(0, comparedRequests)) {
    const expected = await comparedParts(service, request);
    for (const [name, server] of servers) {
      if (name === 'floor' || name === 'service') continue;
      const actual = await comparedParts(server, request);
      if (isDeepStrictEqual(actual, expected)) continue;
      const sentence = `${name} responds to ${request.path} otherwise than the service`;
      if (name !== 'before') throw new Error(`${sentence}:\n${JSON.stringify(actual)}\n${JSON.stringify(expected)}`);
      console.warn(`${sentence}.`);
    }
  }
}

async function comparedParts({ port }: ServerProcess, request: BenchRequest): Promise<unknown> {
  const { body, headers } = await send(port, request);
  // Reports say when they were made, and whether for this request.
  if (typeof body === 'object' && body && 'generated' in body) Object.assign(body, { generated: null, cached: null });
  return { body, total: headers.get('X-Svc-Total'), pages: headers.get('X-Svc-TotalPages'), limit: headers.get('RateLimit-Policy') };
}
