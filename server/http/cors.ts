import type { IncomingMessage } from 'node:http';
import type { Middleware } from './request-context.ts';

const exposed = 'X-Svc-Total, X-Svc-TotalPages, X-Svc-Last-Event, X-Svc-Existing, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After';
const allowedHeaders = 'Authorization, Content-Type, X-Svc-API-Key, X-Svc-CSRF, Idempotency-Key';

/** What an answer depends on, told to whoever keeps it. */
export const originHeaders = ['Vary', 'Origin'] as const;

/** What a page of this origin is told beside. Null where the site does not list it. */
export const headersFor = (
  origin: string | undefined,
  origins: readonly string[],
): readonly (readonly [name: string, value: string])[] | null =>
  origin === undefined || !origins.includes(origin)
    ? null
    : [
        ['Access-Control-Allow-Origin', origin],
        ['Access-Control-Allow-Credentials', 'true'],
        ['Access-Control-Expose-Headers', exposed],
      ];

/** What a browser is told that asks whether a page may call at all. */
export const preflightHeaders = [
  ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE'],
  ['Access-Control-Allow-Headers', allowedHeaders],
  ['Access-Control-Max-Age', '600'],
] as const;

/** A browser asks before a page of another origin calls. */
export const isPreflight = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' && Boolean(headers['access-control-request-method']);

/** Lets pages of the site's listed origins call the API, and nobody else's. */
export const allowOrigins: Middleware = (ctx, next) => {
  ctx.set('Vary', 'Origin');
  const headers = headersFor(ctx.headers.origin, ctx.state.settings.cors.origins);
  if (headers === null) return next();

  for (const [name, value] of headers) ctx.set(name, value);
  if (!isPreflight(ctx.req)) return next();

  for (const [name, value] of preflightHeaders) ctx.set(name, value);
  ctx.status = 204;
  return undefined;
};
