import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import { ApiError } from '../domain/errors.ts';
import { RangeCache } from '../domain/figures/range-cache.ts';
import { Locks } from '../domain/locks.ts';
import { systemRandom } from '../domain/random.ts';
import { ReportCache } from '../domain/reports/cache.ts';
import { type SecretKind, type Secrets, secretsOf } from '../domain/secrets.ts';
import type { OperationId } from '../generated/operations.ts';
import type { Context } from '../handlers/context.ts';
import type { Handler } from '../handlers/contract-types.ts';
import { handlers } from '../handlers/index.ts';
import { servedDocument } from '../site/document.ts';
import type { SiteModule } from '../site/extension.ts';
import { type Announced, shippedGateways } from '../site/gateways.ts';
import { availability } from '../site/served.ts';
import type { SiteSettings } from '../site/settings/site-settings.ts';
import { createApp } from './app.ts';
import { answerAtOnce } from './at-once.ts';
import { authenticate } from './auth/authenticate.ts';
import { mayCall, refuseUndeclaredAccess } from './auth/authorise.ts';
import { Identification } from './auth/identify.ts';
import { Lockout } from './auth/lockout.ts';
import type { Configuration } from './configuration.ts';
import { type Contract, loadContract } from './contract/contract.ts';
import { allowOrigins } from './cors.ts';
import { type Dispatching, dispatch } from './dispatch.ts';
import { Documents, readBundle } from './documents.ts';
import { healthRoutes } from './health.ts';
import { LastingReplies } from './lasting-replies.ts';
import { RateLimit } from './limits.ts';
import { tellRequests } from './log.ts';
import { meteredGateways } from './metrics/gateways.ts';
import type { Metrics } from './metrics/metrics.ts';
import { originOf } from './origin.ts';
import { referenceRoutes } from './pages/reference.ts';
import { signInRoutes } from './pages/sign-in.ts';
import { presentation } from './presentation.ts';
import type { Middleware } from './request.ts';
import type { Answering } from './shedding.ts';
import { openSite } from './site.ts';
import { urlRulesOf } from './webhooks/rules.ts';
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

const built = new Set(Object.keys(handlers) as OperationId[]);

/** Wires the parts together, once. */
export async function compose({
  configuration,
  database,
  settings,
  siteModule,
  log,
  masterKey,
  webhooks,
  clock = systemClock,
  contract: compiled,
  metrics,
}: Parts): Promise<Answering> {
  refuseUndeclaredAccess();
  const contract = compiled ?? (await loadContract(bundleFile));
  const site = openSite(siteModule, database, log);
  const bundle = readBundle(bundleFile);
  const documents = new Documents((state, baseUrl) => servedDocument(bundle, state, { built, baseUrl, amend: site.amendOpenapi }));
  const allowPlainHttp = configuration.environment !== 'production';
  const lockout = new Lockout(database.counters);
  const ranges = new RangeCache();
  const reports = new ReportCache();
  const locks = new Locks();
  const announce = (payment: Announced): void => log.info({ payment }, 'the log gateway took a payout; nothing was paid');
  const gateways = meteredGateways(new Map([...shippedGateways(announce), ...site.gateways]), metrics);
  const secrets: Record<SecretKind, Secrets> = {
    payout_details: secretsOf('payout_details', masterKey, systemRandom),
    webhook_secret: secretsOf('webhook_secret', masterKey, systemRandom),
  };

  const replies = new LastingReplies(database, clock);
  const dispatching: Dispatching = {
    replies,
    // The address has no say in what is declared, and there are as many as callers like.
    present: presentation({ bundle, site, documentOf: (state) => documents.of(state, contract.apiRoot) }),
    contract,
    handlers: handlers as unknown as Partial<Record<OperationId, Handler<OperationId, Context>>>,
    availability: (operationId, state) => availability(operationId, state, built),
    contextOf: (ctx, caller) => ({
      get caller() {
        if (!caller) throw new ApiError('svc_api_unauthorized');
        return caller;
      },
      settings: ctx.state.settings,
      now: clock.now(),
      clock,
      storage: database,
      random: systemRandom,
      ranges,
      reports,
      site,
      gateways,
      locks,
      report: (error, sentence) => log.error({ err: error }, sentence),
      secretsFor: (kind) => secrets[kind],
      checkUrl: (url) => webhooks.checkUrl(url, urlRulesOf(ctx.state.settings, configuration)),
      sendWebhook: (message) => webhooks.send(message, urlRulesOf(ctx.state.settings, configuration)),
      mayCall: (operationId, isAffiliate) =>
        caller !== null &&
        availability(operationId, ctx.state.settings, built) === 'served' &&
        mayCall(operationId, caller, isAffiliate, ctx.state.settings),
      document: () => documents.of(ctx.state.settings, `${originOf(ctx.req, configuration.proxies).url}${contract.apiRoot}`),
    }),
  };

  const { proxies } = configuration;
  const identification = new Identification(database, clock);
  const limit = new RateLimit(database.counters, site.rateCeiling);
  const meter = metrics?.requests;
  const tell = tellRequests(log, meter);
  const app = createApp({
    log,
    proxies,
    settings,
    tell,
    meter,
    api: [replies.note, allowOrigins, authenticate(identification, lockout, allowPlainHttp), limit.middleware, dispatch(dispatching)],
    health: healthRoutes(database).routes() as unknown as Middleware,
    pages: [
      signInRoutes({ storage: database, lockout, clock, random: systemRandom, allowPlainHttp }).routes() as unknown as Middleware,
      referenceRoutes(contract.apiRoot).routes() as unknown as Middleware,
    ],
  });
  const atOnce = answerAtOnce({ proxies, settings, identification, lockout, allowPlainHttp, limit, replies, tell, meter });
  const inTurn = app.callback();
  return (request, response) => (atOnce(request, response) ? undefined : inTurn(request, response));
}
