import { Router } from '@koa/router';
import Koa from 'koa';
import compose from 'koa-compose';
import type { Logger } from 'pino';
import { ApiError } from '../domain/errors.ts';
import type { SiteSettings } from '../site/settings/site-settings.ts';
import { readCredentials } from './auth/credentials.ts';
import { sendErrors } from './http/error-response.ts';
import type { Middleware, RequestState } from './http/request-context.ts';
import { logRequests } from './http/request-log.ts';
import { attachRequestMeta, rejectUnreadableUrl } from './http/request-meta.ts';
import type { TrustedProxies } from './http/trusted-proxies.ts';
import type { RequestMetrics } from './metrics/request-metrics.ts';
import { redirectToCanonicalPath, showNotFound } from './pages/page-guards.ts';

export interface AppParts {
  log: Logger;
  proxies: TrustedProxies;
  settings: SiteSettings;
  /** Before every operation, in order. Not in the router, so that a cached response does not pay for it. */
  beforeApi: Middleware[];
  /** The operations of the contract. */
  api: Middleware;
  /** `/mcp`, which takes keys as the API does. */
  agents: Middleware;
  /** Must not need the settings, which are in the database: it reports whether the database can be reached. */
  health: Router<RequestState>;
  /** Not a route of a router, which would take as long as the rest. */
  referralLinks: Middleware;
  /** Sign-in and other pages, outside of the API. */
  pages: Router<RequestState>[];
  meter?: RequestMetrics | undefined;
}

/** The request pipeline, from the outside in. */
export function createApp({
  log,
  proxies,
  settings,
  beforeApi,
  api,
  agents,
  health,
  referralLinks,
  pages,
  meter,
}: AppParts): Koa<RequestState> {
  const app = new Koa<RequestState>();
  const prepareApi = compose([loadSettings(settings), ...beforeApi]);
  const apiRouter = new Router<RequestState>();
  // Also other versions, whose paths get the errors of the API.
  apiRouter.all(/^\/api(?:\/|$)/, api);
  const pageRouter = new Router<RequestState>();
  for (const page of pages) pageRouter.use(page.routes());
  app.use(attachRequestMeta(log, proxies));
  app.use(logRequests(log, meter));
  app.use(sendErrors);
  app.use(rejectUnreadableUrl);
  app.use((ctx, next) => (ctx.state.isApi ? prepareApi(ctx, next) : next()));
  app.use(apiRouter.routes());
  const serveAgents = compose([loadSettings(settings), agents]);
  app.use((ctx, next) => (ctx.path === '/mcp' ? serveAgents(ctx, next) : next()));
  app.use(rejectKeys);
  app.use(health.routes());
  app.use(loadSettings(settings));
  app.use(redirectToCanonicalPath);
  app.use(referralLinks);
  app.use(pageRouter.routes());
  app.use(showNotFound);
  app.on('error', (error: NodeJS.ErrnoException) =>
    isDisconnect(error)
      ? log.debug({ code: error.code }, 'the client disconnected')
      : log.error({ err: error }, 'sending a response failed'),
  );
  return app;
}

const isDisconnect = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code);

const loadSettings =
  (settings: SiteSettings): Middleware =>
  async (ctx, next) => {
    ctx.state.settings = settings.cached ?? (await settings.current());
    return next();
  };

/** A key can be used only within the service's own namespaces. */
const rejectKeys: Middleware = (ctx, next) => {
  if (readCredentials(ctx).kind === 'key') throw new ApiError('svc_api_key_wrong_namespace');
  return next();
};
