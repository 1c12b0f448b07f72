import type { IncomingMessage } from 'node:http';
import type { Middleware } from './request-context.ts';

type HeaderPair = readonly [name: string, value: string];

const exposedHeaders =
  'X-Svc-Total, X-Svc-TotalPages, X-Svc-Last-Event, X-Svc-Feed-End, X-Svc-Existing, X-Svc-Ignored, X-Svc-Dry-Run, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After';

/** Every response depends on the origin. */
export const varyHeader = ['Vary', 'Origin'] as const;

/** The CORS headers for a listed origin. Null for any other one. */
export const corsHeaders = (origin: string | undefined, origins: readonly string[]): readonly HeaderPair[] | null =>
  origin === undefined || !origins.includes(origin)
    ? null
    : [
        ['Access-Control-Allow-Origin', origin],
        ['Access-Control-Allow-Credentials', 'true'],
        ['Access-Control-Expose-Headers', exposedHeaders],
      ];

export const preflightHeaders: readonly HeaderPair[] = [
  ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE'],
  [
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, X-Svc-API-Key, X-Svc-CSRF, Idempotency-Key, Last-Event-ID, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  ],
  ['Access-Control-Max-Age', '600'],
];

export const isPreflight = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' && Boolean(headers['access-control-request-method']);

/** Lets pages of the site's listed origins call the API, and no others. */
export const cors: Middleware = (ctx, next) => {
  const { headers, settings } = ctx.state;
  headers.Vary = 'Origin';
  const allowed = corsHeaders(ctx.headers.origin, settings.cors.origins);
  if (allowed === null) return next();

  for (const [name, value] of allowed) headers[name] = value;
  if (!isPreflight(ctx.req)) return next();

  for (const [name, value] of preflightHeaders) headers[name] = value;
  ctx.status = 204;
  return undefined;
};
