import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import { systemRandom } from '../domain/random.ts';
import { handlers } from '../handlers/index.ts';
import { buildServedDocument } from '../site/document.ts';
import type { SiteExtension, SiteModule } from '../site/extension.ts';
import type { SiteSettings } from '../site/settings/site-settings.ts';
import { createApp } from './app.ts';
import { authenticate } from './auth/authenticate.ts';
import { Identification } from './auth/authenticator.ts';
import { refuseUndeclaredAccess } from './auth/authorise.ts';
import { Lockout } from './auth/lockout.ts';
import { ResponseCache } from './cache/response-cache.ts';
import { captureVersion } from './cache/versioned-lru.ts';
import type { Configuration } from './configuration.ts';
import { type Contract, loadContract } from './contract/contract.ts';
import { presentation } from './contract/record-extensions.ts';
import { Documents, readBundle } from './contract/served-documents.ts';
import { type Dispatching, dispatch } from './dispatch.ts';
import { handlerContexts } from './handler-context.ts';
import { allowOrigins } from './http/cors.ts';
import { healthRoutes } from './http/health.ts';
import type { Middleware } from './http/request-context.ts';
import type { RequestHandler } from './limits/concurrency-limiter.ts';
import { RateLimit } from './limits/rate-limit.ts';
import type { Metrics } from './metrics/metrics.ts';
import { referenceRoutes } from './pages/reference.ts';
import { signInRoutes } from './pages/sign-in.ts';
import { openSite } from './site.ts';
import type { WebhookSender } from './webhooks/send.ts';

export interface Parts {
  configuration: Configuration;
  database: Database;
  settings: SiteSettings;
  siteModule: SiteModule;
  log: Logger;
  masterKey: string;
  webhooks: WebhookSender;
  clock?: Clock;
  /** Compiled before, where several services run in one process. */
  contract?: Contract;
  metrics?: Metrics | undefined;
}

export const bundleFile = fileURLToPath(new URL('../generated/openapi.json', import.meta.url));

/** Wires the parts together, once. */
export async function compose(parts: Parts): Promise<RequestHandler> {
  refuseUndeclaredAccess();
  const { configuration, database, settings, log, metrics, clock = systemClock } = parts;
  const { proxies } = configuration;
  const allowPlainHttp = configuration.environment !== 'production';
  const lockout = new Lockout(database.counters);
  const identification = new Identification(database, clock);
  const site = openSite(parts.siteModule, database, log);
  const limit = new RateLimit(database.counters, site.rateCeiling);
  const contract = parts.contract ?? (await loadContract(bundleFile));
  const dispatching = dispatchingOf({ ...parts, clock, contract, site });
  const app = createApp({
    ...{ log, proxies, settings, meter: metrics?.requests },
    api: [
      captureDataVersion(database),
      allowOrigins,
      authenticate(identification, lockout, allowPlainHttp),
      limit.middleware,
      new ResponseCache(clock).middleware,
      dispatch(dispatching),
    ],
    health: healthRoutes(database).routes() as unknown as Middleware,
    pages: [
      signInRoutes({ storage: database, lockout, clock, random: systemRandom, allowPlainHttp }).routes() as unknown as Middleware,
      referenceRoutes(contract.apiRoot).routes() as unknown as Middleware,
    ],
  });
  return app.callback();
}

/** First of all: the cached response depends on the caller's role, too, and must not count as newer than that. */
const captureDataVersion =
  (database: Database): Middleware =>
  (ctx, next) => {
    ctx.state.dataVersion = captureVersion(database);
    return next();
  };

type Opened = Parts & { clock: Clock; contract: Contract; site: SiteExtension };

/** What leads a request from its operation to its reply. */
function dispatchingOf({ configuration, database, clock, contract, site, log, masterKey, webhooks, metrics }: Opened): Dispatching {
  const bundle = readBundle(bundleFile);
  const documents = new Documents((state, baseUrl) => buildServedDocument(bundle, state, { baseUrl, amend: site.amendOpenapi }));
  return {
    contract,
    // The address has no say in what is declared, and there are as many as callers like.
    present: presentation({ bundle, site, documentOf: (state) => documents.of(state, contract.apiRoot) }),
    handlers: handlers as unknown as Dispatching['handlers'],
    contextOf: handlerContexts({
      ...{ configuration, storage: database, clock, log, masterKey, site, webhooks, metrics },
      documentFor: (ctx) => documents.of(ctx.state.settings, `${ctx.state.origin}${contract.apiRoot}`),
    }),
  };
}
