import type { Middleware } from './request.ts';

const exposed = 'X-Svc-Total, X-Svc-TotalPages, X-Svc-Last-Event, X-Svc-Existing, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After';
const allowedHeaders = 'Authorization, Content-Type, X-Svc-API-Key, X-Svc-CSRF, Idempotency-Key';

/** What an answer depends on, told to whoever keeps it. */
export const originHeaders = ['Vary', 'Origin'] as const;

/** Lets pages of the site's listed origins call the API, and nobody else's. */
export const allowOrigins: Middleware = (ctx, next) => {
  const { origin } = ctx.req.headers;
  ctx.res.setHeader(...originHeaders);
  if (origin === undefined || !ctx.state.settings.cors.origins.includes(origin)) return next();

  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Allow-Credentials', 'true');
  ctx.set('Access-Control-Expose-Headers', exposed);
  if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return next();

  ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE');
  ctx.set('Access-Control-Allow-Headers', allowedHeaders);
  ctx.set('Access-Control-Max-Age', '600');
  ctx.status = 204;
  return undefined;
};
