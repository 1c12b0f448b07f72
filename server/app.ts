import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import Koa from 'koa';
import type { Logger } from 'pino';
import { ApiError } from '../domain/errors.ts';
import type { SiteSettings } from '../site/settings/site-settings.ts';
import { credentialsIn } from './auth/credentials.ts';
import { answerErrors, noRoute } from './errors.ts';
import { logRequests } from './log.ts';
import { originOf } from './origin.ts';
import { isUnderApi, type Middleware, type RequestState } from './request.ts';

export interface AppParts {
  log: Logger;
  proxies: BlockList;
  settings: SiteSettings;
  /** In their order: what the API consists of. */
  api: Middleware[];
  /** Asks nothing of the database before it answers, so that it can tell when that is away. */
  health: Middleware;
  /** Sign-in and other pages, outside of the API. */
  pages: Middleware[];
}

/** The way of a request, from the outside in. */
export function createApp({ log, proxies, settings, api, health, pages }: AppParts): Koa<RequestState> {
  const app = new Koa<RequestState>();
  app.use(receive(log, proxies));
  app.use(logRequests);
  app.use(answerErrors);
  app.use(refuseUnreadable);
  app.use(under(false, refuseKeys));
  app.use(under(false, health));
  app.use(withSettings(settings));
  for (const middleware of api) app.use(under(true, middleware));
  for (const middleware of pages) app.use(under(false, middleware));
  app.use((ctx) => {
    throw noRoute(ctx);
  });
  app.on('error', (error: Error) => log.error({ err: error }, 'an answer could not be sent'));
  return app;
}

/** Never what looks like a key: it would stand in the log. */
const requestIdShape = /^(?!svc_|whsec_)[A-Za-z0-9_.:-]{1,128}$/;

/** Names the request, by the caller's own name for it where that is harmless. */
function receive(log: Logger, proxies: BlockList): Middleware {
  return async (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    ctx.state.id = requestIdShape.test(given) ? given : randomUUID();
    ctx.state.log = log.child({ request: ctx.state.id });
    const { address, isSecure } = originOf(ctx.req, proxies);
    Object.assign(ctx.state, { address, isSecure });
    ctx.set('X-Request-Id', ctx.state.id);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'no-store');
    ctx.state.isReadable = makeReadable(ctx.req);
    await next();
  };
}

/** A request line may name a whole address, and a broken one would throw wherever the path is looked at. False for one that leads nowhere. */
function makeReadable(request: IncomingMessage): boolean {
  const { url = '' } = request;
  if (url.startsWith('/')) return true;
  const isAddress = URL.canParse(url);
  const { pathname, search } = new URL(isAddress ? url : 'http://localhost/');
  request.url = pathname + search;
  return isAddress;
}

const refuseUnreadable: Middleware = async (ctx, next) => {
  if (!ctx.state.isReadable) throw noRoute(ctx);
  await next();
};

const withSettings =
  (settings: SiteSettings): Middleware =>
  async (ctx, next) => {
    ctx.state.settings = await settings.current();
    await next();
  };

const under =
  (api: boolean, middleware: Middleware): Middleware =>
  (ctx, next) =>
    isUnderApi(ctx.path) === api ? middleware(ctx, next) : next();

/** Spec, "Authentication": a key can be used only within the service's own namespaces. */
const refuseKeys: Middleware = async (ctx, next) => {
  if (credentialsIn(ctx.headers).kind === 'key') throw new ApiError('svc_api_key_wrong_namespace');
  await next();
};
