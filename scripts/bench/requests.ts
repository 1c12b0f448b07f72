import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { WireRequest } from './load.ts';

export type CallerName = 'admin' | 'affiliate';
export type Tokens = Record<CallerName, string>;

export interface BenchRequest {
  /** Below `/api/v2`, or of a page where there is no caller. */
  path: string;
  as?: CallerName;
  method?: 'GET' | 'POST';
  /** JSON. */
  body?: string;
  headers?: Record<string, string>;
  /** 200 by default. */
  expect?: number;
}

/** As WooCommerce signs and sends it. */
export function signDelivery(shop: { id: string; secret: string }, body: string): BenchRequest {
  const signature = createHmac('sha256', shop.secret).update(body).digest('base64');
  const headers = { 'X-WC-Webhook-Topic': 'order.created', 'X-WC-Webhook-Signature': signature };
  return { path: `/connect/${shop.id}`, method: 'POST', headers, body };
}

/** As Stripe signs and sends it, at the time of sending. */
export function signEvent(shop: { id: string; secret: string }, body: string): BenchRequest {
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', shop.secret).update(`${time}.${body}`).digest('hex');
  return { path: `/connect/${shop.id}`, method: 'POST', headers: { 'Stripe-Signature': `t=${time},v1=${signature}` }, body };
}

const urlOf = ({ path, as }: BenchRequest): string => (as === undefined ? path : `/api/v2${path}`);

/** As a proxy in front of the service forwards them. */
const headersOf = ({ as, body, headers }: BenchRequest, tokens: Tokens): Record<string, string> => ({
  ...(as !== undefined && { Authorization: `Bearer ${tokens[as]}` }),
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-For': '192.0.2.10',
  Accept: 'application/json',
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
  ...headers,
});

export function wireRequest(request: BenchRequest, tokens: Tokens): WireRequest {
  const { method = 'GET', body = '', expect = 200 } = request;
  const headers = { Host: 'bench', ...headersOf(request, tokens), ...(body && { 'Content-Length': String(Buffer.byteLength(body)) }) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { bytes: Buffer.from([`${method} ${urlOf(request)} HTTP/1.1`, ...lines, '', body].join('\r\n')), expect };
}

/** Sends one request outside of the load. */
export async function send(port: number, request: BenchRequest, tokens: Tokens): Promise<{ body: unknown; total: string | null }> {
  const { path, method = 'GET', body, expect = 200 } = request;
  const init = { method, headers: headersOf(request, tokens), ...(body !== undefined && { body }) };
  const response = await fetch(`http://127.0.0.1:${port}${urlOf(request)}`, init);
  const text = await response.text();
  if (response.status !== expect)
    throw new Error(`${method} ${path} returned ${response.status} instead of ${expect}: ${text.slice(0, 300)}`);
  return { body: JSON.parse(text) as unknown, total: response.headers.get('X-Svc-Total') };
}

/** A peer that does less would win for nothing. @throws where it responds otherwise than the service. */
export async function compareResponses(service: number, peer: number, request: BenchRequest, tokens: Tokens): Promise<void> {
  const [expected, actual] = [await send(service, request, tokens), await send(peer, request, tokens)];
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`The peer responds to ${request.path} otherwise:\n${JSON.stringify(actual)}\n${JSON.stringify(expected)}`);
}
