import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import type { Logger } from 'pino';
import { ApiError } from '../domain/errors.ts';
import type { SiteSettings } from '../site/settings/site-settings.ts';
import { credentialsIn } from './auth/credentials.ts';
import { answerErrors, noRoute } from './http/error-response.ts';
import { soon } from './http/maybe-promise.ts';
import type { Proxies } from './http/proxies.ts';
import { isUnderApi, type Middleware, type RequestState } from './http/request-context.ts';
import { logRequests, type TellRequest } from './http/request-log.ts';
import { arrivalOf, commonHeaders } from './http/request-meta.ts';
import type { RequestMeter } from './metrics/requests.ts';

export interface AppParts {
  log: Logger;
  proxies: Proxies;
  settings: SiteSettings;
  /** In their order: what the API consists of. */
  api: Middleware[];
  /** Asks nothing of the database before it answers, so that it can tell when that is away. */
  health: Middleware;
  /** Sign-in and other pages, outside of the API. */
  pages: Middleware[];
  tell: TellRequest;
  meter?: RequestMeter | undefined;
}

/** The way of a request, from the outside in. */
export function createApp({ log, proxies, settings, api, health, pages, tell, meter }: AppParts): Koa<RequestState> {
  const app = new Koa<RequestState>();
  app.use(receive(log, proxies));
  app.use(logRequests(tell, meter));
  app.use(answerErrors);
  app.use(refuseUnreadable);
  app.use(fork(inTurn([withSettings(settings), ...api]), inTurn([refuseKeys, health, withSettings(settings), ...pages])));
  app.use((ctx) => {
    throw noRoute(ctx);
  });
  app.on('error', (error: NodeJS.ErrnoException) =>
    hasLeft(error)
      ? log.debug({ code: error.code }, 'a client left before its answer')
      : log.error({ err: error }, 'an answer could not be sent'),
  );
  return app;
}

const hasLeft = ({ code = '' }: NodeJS.ErrnoException): boolean => ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code);

/** The API goes one way, everything else another. */
const fork =
  (api: Middleware, pages: Middleware): Middleware =>
  (ctx, next) =>
    ctx.state.isApi ? api(ctx, next) : pages(ctx, next);

const inTurn =
  (steps: readonly Middleware[]): Middleware =>
  (ctx, next) => {
    const from = (at: number): Promise<void> => {
      const step = steps[at];
      return step ? step(ctx, () => from(at + 1)) : next();
    };
    return from(0);
  };

function receive(log: Logger, proxies: Proxies): Middleware {
  return (ctx, next) => {
    const { state, req, res } = ctx;
    Object.assign(state, arrivalOf(req, proxies), { log });
    const headers = commonHeaders(state);
    for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
    state.isReadable = makeReadable(req);
    state.isApi = isUnderApi(ctx.path);
    return next();
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

const refuseUnreadable: Middleware = (ctx, next) => {
  if (!ctx.state.isReadable) throw noRoute(ctx);
  return next();
};

const withSettings =
  (settings: SiteSettings): Middleware =>
  (ctx, next) =>
    soon(settings.current(), (current) => {
      ctx.state.settings = current;
      return next();
    });

/** Spec, "Authentication": a key can be used only within the service's own namespaces. */
const refuseKeys: Middleware = async (ctx, next) => {
  if (credentialsIn(ctx.headers).kind === 'key') throw new ApiError('svc_api_key_wrong_namespace');
  await next();
};
