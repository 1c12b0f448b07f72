import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../domain/errors.ts';
import { headersFor, isPreflight, originHeaders, preflightHeaders } from '../http/cors.ts';

interface Prepared {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Made once each: to make an error and its text takes longer than to send it. */
const prepared: readonly Prepared[] = [1, 2, 3].map((seconds) => {
  const { status, body } = new ApiError('svc_api_overloaded', { data: { retry_after: seconds } });
  const text = JSON.stringify(body);
  const headers = [
    ...['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text))],
    ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', 'Retry-After', String(seconds), ...originHeaders],
  ];
  return { status, headers, body: text };
});

/** By chance, so that those who are sent away together do not come back together. */
const some = (): Prepared => prepared[Math.floor(Math.random() * prepared.length)] as Prepared;

/**
 * Answers 503 before anything of the request is looked at but its origin: a page that may call has to be able to read why it was not
 * answered. Its browser's question whether it may call is answered, which is as cheap: a refusal of that could be read by nobody. False
 * then.
 */
export function refuse(request: IncomingMessage, response: ServerResponse, origins: readonly string[]): boolean {
  const { status, headers, body } = some();
  const sent = ['X-Request-Id', randomUUID(), ...headers];
  const allowed = headersFor(request.headers.origin, origins);
  if (allowed !== null) {
    if (isPreflight(request)) return permit(response, [...allowed, ...preflightHeaders].flat());
    for (const [name, value] of allowed) sent.push(name, value);
  }
  // In one piece: a header that is set by itself is looked at three times before it goes out.
  response.writeHead(status, sent);
  response.end(request.method === 'HEAD' ? undefined : body);
  return true;
}

function permit(response: ServerResponse, headers: string[]): false {
  response.writeHead(204, ['X-Request-Id', randomUUID(), 'Cache-Control', 'no-store', ...originHeaders, ...headers]).end();
  return false;
}
