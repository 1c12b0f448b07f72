import type { Router } from '@koa/router';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import type { KeyRing } from '../domain/master-key/key-ring.ts';
import { createSecrets } from '../domain/master-key/secrets.ts';
import { systemRandom } from '../domain/random.ts';
import type { HandlerResponse } from '../handlers/contract-types.ts';
import { eventView } from '../handlers/views/event.ts';
import type { OpenApiDocument } from '../site/document/openapi.ts';
import { buildServedDocument } from '../site/document.ts';
import type { SiteExtension, SiteModule } from '../site/extension.ts';
import { oncePerSettings } from '../site/program.ts';
import type { Settings } from '../site/settings/settings.ts';
import type { SiteSettings } from '../site/settings/site-settings.ts';
import { agentRoute } from './agents/agent-route.ts';
import { createApp } from './app.ts';
import { Authenticator } from './auth/authenticator.ts';
import { requireDeclaredAccess } from './auth/authorise.ts';
import { Lockout } from './auth/lockout.ts';
import { SignInAttempts } from './auth/sign-in-attempts.ts';
import { ResponseCache } from './cache/response-cache.ts';
import { captureVersion } from './cache/versioned-lru.ts';
import type { Configuration } from './configuration.ts';
import { type ApiParts, createApi } from './contract/api.ts';
import { type Contract, loadContract } from './contract/contract.ts';
import { bundleFile } from './contract/document.ts';
import { createExtendResponse, type ExtendResponse } from './contract/record-extensions.ts';
import { handlerContexts } from './handler-context.ts';
import { cors } from './http/cors.ts';
import { healthRoutes } from './http/health.ts';
import type { Middleware, RequestState } from './http/request-context.ts';
import { InvoiceFiles, invoiceFolder } from './invoices/invoice-files.ts';
import { invoiceRoutes } from './invoices/invoice-routes.ts';
import { admit } from './limits/admit.ts';
import type { RequestHandler } from './limits/concurrency-limiter.ts';
import { PasswordQueue } from './limits/password-queue.ts';
import type { Metrics } from './metrics/metrics.ts';
import { accountSafetyRoutes } from './pages/account-safety.ts';
import { applyRoutes } from './pages/apply.ts';
import { BackgroundWork } from './pages/background-work.ts';
import { consoleRoutes } from './pages/console-page.ts';
import { frontPageRoutes } from './pages/front-page.ts';
import { logoRoutes } from './pages/logo.ts';
import { ownDataRoutes } from './pages/own-data.ts';
import { ownPasswordRoutes } from './pages/own-password.ts';
import { passwordRoutes } from './pages/password-pages.ts';
import { referenceRoutes } from './pages/reference-page.ts';
import { setupRoutes } from './pages/setup.ts';
import { signInRoutes } from './pages/sign-in.ts';
import { payoutFileRoutes } from './payout-files/payout-file-routes.ts';
import { openSite } from './site.ts';
import { ClickRecorder } from './store/click-recorder.ts';
import { referralLinks } from './store/referral-links.ts';
import { storeWebhookRoutes } from './store/store-webhook-routes.ts';
import { trackingRoutes } from './store/tracking.ts';
import { EventStreams, type EventStreamsParts } from './streams/event-streams.ts';
import type { WebhookSender } from './webhooks/send.ts';

export interface ServiceParts {
  configuration: Configuration;
  database: Database;
  settings: SiteSettings;
  siteModule: SiteModule;
  log: Logger;
  masterKey: KeyRing;
  webhooks: WebhookSender;
  clock?: Clock;
  /** Shared by tests, which run several services in one process. */
  contract?: Contract;
  metrics?: Metrics | undefined;
  /** Further pages, outside of the API. */
  pages?: Router<RequestState>[];
}

export interface ComposedService {
  handle: RequestHandler;
  /** Compiles the first validator. With it Ajv prepares itself, which would make the first request 80 ms slower. */
  warmUp(): void;
  /** Ends the streams, which would keep the server from draining. */
  endStreams(): void;
  /** Resolves when what requests have left behind is written. Called after the last request. */
  flush(): Promise<void>;
}

/** Wires the parts of the service together. */
export async function composeService(parts: ServiceParts): Promise<ComposedService> {
  requireDeclaredAccess();
  const { configuration, database, settings, log, masterKey, metrics, clock = systemClock } = parts;
  const { proxies } = configuration;
  const allowPlainHttp = configuration.environment !== 'production';
  const lockout = new Lockout(database.counters);
  const attempts = new SignInAttempts({ storage: database, counters: database.counters, lockout });
  const secondFactorSecrets = createSecrets('second_factor', masterKey, systemRandom);
  const hashing = new PasswordQueue();
  const account = { storage: database, clock, random: systemRandom, attempts, hashing, secrets: secondFactorSecrets };
  const authenticator = new Authenticator(database, clock);
  const site = openSite(parts.siteModule, database, log);
  const clicks = new ClickRecorder({ storage: database, clock, masterKey, log });
  const contract = parts.contract ?? loadContract(bundleFile);
  const getDocument = oncePerSettings((current) => buildServedDocument(contract.document, current, { amend: site.amendOpenapi }));
  const extendResponse = createExtendResponse({
    bundle: contract.document,
    site,
    getDocument,
  });
  const streams = new EventStreams({ storage: database, settings, clock, log, present: presentEvents(extendResponse) });
  const { counters } = database;
  const background = new BackgroundWork(log);
  const anonymousPage = { storage: database, clock, random: systemRandom, counters, background };
  const identify = [
    captureDataVersion(database),
    admit({ authenticator, lockout, counters, rateCeiling: site.rateCeiling, allowPlainHttp }),
  ];
  const api = createApi(apiParts({ ...parts, clock, contract, site, getDocument, extendResponse, streams }));
  const app = createApp({
    log,
    proxies,
    settings,
    meter: metrics?.requests,
    beforeApi: [cors, ...identify, new ResponseCache(clock).middleware],
    api: api.handle,
    agents: agentRoute({ api, storage: database, clock, random: systemRandom, identify }),
    health: healthRoutes(database),
    referralLinks: referralLinks(clicks),
    pages: [
      trackingRoutes(clicks),
      storeWebhookRoutes({ storage: database, clock, masterKey, metrics, acceptsTests: allowPlainHttp }),
      applyRoutes({ ...anonymousPage, signingKey: masterKey.visitorKey }),
      passwordRoutes({ ...anonymousPage, hashing, allowPlainHttp }),
      signInRoutes({ ...account, background, allowPlainHttp }),
      setupRoutes({ storage: database, settings, lockout, clock, random: systemRandom, allowPlainHttp }),
      invoiceRoutes({
        storage: database,
        clock,
        files: new InvoiceFiles(invoiceFolder(configuration)),
        identify,
      }),
      logoRoutes({ storage: database, settings, clock, identify }),
      payoutFileRoutes({ storage: database, secrets: createSecrets('payout_file', masterKey, systemRandom), identify }),
      ownDataRoutes({ storage: database, clock, secrets: createSecrets('payout_details', masterKey, systemRandom), identify }),
      ownPasswordRoutes({ ...account, identify }),
      accountSafetyRoutes({ ...account, identify }),
      consoleRoutes(contract.apiRoot, { storage: database, clock, allowPlainHttp }),
      frontPageRoutes(contract.apiRoot, contract.document.info.version),
      referenceRoutes(contract.apiRoot, getDocument, configuration.environment === 'development'),
      ...(parts.pages ?? []),
    ],
  });
  return {
    handle: app.callback(),
    warmUp: () => void contract.validator.getRequestValidatorsForOperation('get_me'),
    endStreams: () => streams.close(),
    flush: async () => {
      await background.flush();
      await clicks.flush();
    },
  };
}

/** Before the caller is identified: a cached response depends on the caller's role, too, and must not count as newer than that. */
const captureDataVersion =
  (database: Database): Middleware =>
  (ctx, next) => {
    ctx.state.dataVersion = captureVersion(database);
    return next();
  };

/** As `GET /events` returns them. */
const presentEvents =
  (extendResponse: ExtendResponse): EventStreamsParts['present'] =>
  (events, settings) => {
    const body = events.map((event) => eventView(event, settings));
    const headers = { 'X-Svc-Total': 0, 'X-Svc-TotalPages': 0, 'X-Svc-Last-Event': 0, 'X-Svc-Feed-End': 0 };
    const response: HandlerResponse<'get_events'> = { status: 200, body, headers };
    return extendResponse('get_events', response as never, settings).body as unknown as unknown[];
  };

interface OpenParts extends ServiceParts, Pick<ApiParts, 'extendResponse' | 'streams'> {
  clock: Clock;
  contract: Contract;
  site: SiteExtension;
  getDocument(settings: Settings): OpenApiDocument;
}

function apiParts(parts: OpenParts): ApiParts {
  const { configuration, database, settings, clock, contract, site, getDocument, log, masterKey, webhooks, metrics } = parts;
  const { extendResponse, streams } = parts;
  return {
    contract,
    dryRun: (work) => database.dryRun(work),
    reportsIgnored: configuration.environment !== 'production',
    extendResponse,
    streams,
    createContext: handlerContexts({
      configuration,
      storage: database,
      counters: database.counters,
      clock,
      log,
      masterKey,
      siteSettings: settings,
      site,
      webhooks,
      metrics,
      getDocument: ({ state }) => getDocument(state.settings),
    }),
  };
}
