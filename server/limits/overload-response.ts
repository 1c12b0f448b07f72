import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../domain/errors.ts';
import { corsHeaders, isPreflight, preflightHeaders, varyHeader } from '../http/cors.ts';

interface PreparedResponse {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Prepared once each: creating an error and its JSON takes longer than sending it. */
const overloadResponses: readonly PreparedResponse[] = [1, 2, 3].map((seconds) => {
  const { status, body } = new ApiError('svc_api_overloaded', { data: { retry_after: seconds } });
  const text = JSON.stringify(body);
  const headers = [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(text)),
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'Retry-After',
    String(seconds),
    ...varyHeader,
  ];
  return { status, headers, body: text };
});

/** Random, so that clients that are rejected together do not retry together. */
const pickResponse = (): PreparedResponse => overloadResponses[Math.floor(Math.random() * overloadResponses.length)] as PreparedResponse;

/**
 * Sends 503 before anything of the request is read but its origin: a page that may call must be able to read the error. Returns false for
 * a preflight, which is answered instead: that costs as little, and no page could read its 503.
 */
export function sendOverload(request: IncomingMessage, response: ServerResponse, origins: readonly string[]): boolean {
  const allowed = corsHeaders(request.headers.origin, origins);
  const id = ['X-Request-Id', randomUUID()];
  if (allowed !== null && isPreflight(request)) {
    response.writeHead(204, [...id, 'Cache-Control', 'no-store', ...varyHeader, ...[...allowed, ...preflightHeaders].flat()]).end();
    return false;
  }
  const { status, headers, body } = pickResponse();
  // One writeHead with all headers is several times faster than setting each.
  response.writeHead(status, [...id, ...headers, ...(allowed ?? []).flat()]);
  response.end(request.method === 'HEAD' ? undefined : body);
  return true;
}
