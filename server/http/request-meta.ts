import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { noRouteError } from './error-response.ts';
import type { Middleware, RequestContext } from './request-context.ts';
import { originOf, type TrustedProxies } from './trusted-proxies.ts';

/** Never what looks like a key: it would be written to the log. */
const requestIdPattern = /^(?!svc_|whsec_)[A-Za-z0-9_.:-]{1,128}$/;

/** Records id, address and origin of the request, and begins the headers that every response has. */
export function attachRequestMeta(log: Logger, proxies: TrustedProxies): Middleware {
  return async (ctx, next) => {
    const { state, req } = ctx;
    const { address, isSecure, url } = originOf(req, proxies);
    state.log = log;
    state.id = requestId(req);
    state.address = address;
    state.isSecure = isSecure;
    state.origin = url;
    state.isReadable = normalizeUrl(req);
    state.isApi = isUnderApi(ctx.path);
    state.headers = { 'X-Request-Id': state.id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };
    if (isSecure) state.headers['Strict-Transport-Security'] = 'max-age=31536000';
    await next();
    if (!ctx.headerSent) setHeaders(ctx);
  };
}

/** For a response that Koa sends: an error or a page, which may have set a header itself. */
function setHeaders(ctx: RequestContext): void {
  for (const [name, value] of Object.entries(ctx.state.headers)) {
    if (name === 'Vary') ctx.vary(value);
    else if (!ctx.response.get(name)) ctx.set(name, value);
  }
}

/** The caller's own id where it is harmless. */
function requestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && requestIdPattern.test(sent) ? sent : randomUUID();
}

const isUnderApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Reduces an absolute URL in the request line to its path. Returns false for one that cannot be parsed, which would throw in `ctx.path`. */
function normalizeUrl(request: IncomingMessage): boolean {
  const { url = '' } = request;
  if (url.startsWith('/')) return true;
  const isUrl = URL.canParse(url);
  const { pathname, search } = new URL(isUrl ? url : 'http://localhost/');
  request.url = pathname + search;
  return isUrl;
}

export const rejectUnreadableUrl: Middleware = (ctx, next) => {
  if (!ctx.state.isReadable) throw noRouteError(ctx);
  return next();
};
