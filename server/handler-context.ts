import type { Logger } from 'pino';
import type { DryRunStorage } from '../db/dry-run.ts';
import { databaseErrorKind } from '../db/engine/database-error.ts';
import { createVisitorHasher, type HashVisitor } from '../domain/clicks/record.ts';
import type { Clock } from '../domain/clock.ts';
import { ApiError } from '../domain/errors.ts';
import { createRangeCache } from '../domain/figures/statistics.ts';
import type { KeyRing } from '../domain/master-key/key-ring.ts';
import { createSecrets, type SecretKind, type Secrets } from '../domain/master-key/secrets.ts';
import type { IncomingOrder, OrderOutcome } from '../domain/order-recording/incoming.ts';
import { OrderIntake } from '../domain/order-recording/intake.ts';
import { Locks } from '../domain/payouts/request.ts';
import { systemRandom } from '../domain/random.ts';
import { createReportCaches } from '../domain/reports/report.ts';
import type { Repositories } from '../domain/repositories.ts';
import type { HeavyReads, UnitOfWork } from '../domain/unit-of-work.ts';
import type { Caller } from '../domain/users/user.ts';
import type { WindowCounters } from '../domain/window-counters.ts';
import type { HandlerContext } from '../handlers/context.ts';
import { createBuiltInGateways, type LoggedPayment } from '../site/extension/gateways.ts';
import type { SiteExtension } from '../site/extension.ts';
import { buildProgram } from '../site/program.ts';
import { getAvailability } from '../site/served.ts';
import type { Settings } from '../site/settings/settings.ts';
import type { SiteSettings } from '../site/settings/site-settings.ts';
import { mayCall } from './auth/authorise.ts';
import type { Configuration } from './configuration.ts';
import type { RequestContext } from './http/request-context.ts';
import { QueuePerKey } from './limits/bounded-queue.ts';
import type { Metrics } from './metrics/metrics.ts';
import { getUrlRules, type WebhookSender } from './webhooks/send.ts';

interface HandlerContextParts {
  configuration: Configuration;
  storage: UnitOfWork<Repositories> & HeavyReads<Repositories>;
  counters: WindowCounters;
  clock: Clock;
  log: Logger;
  masterKey: KeyRing;
  siteSettings: SiteSettings;
  site: SiteExtension;
  webhooks: WebhookSender;
  metrics: Metrics | undefined;
  getDocument(ctx: RequestContext): Record<string, unknown>;
}

/** For each user. As many as the parts of a dashboard may wait; more would take the places of other requests. */
const heavyReadBounds = { running: 1, waiting: 8 };

/** Creates the context of a request, or of its dry run on `dryRun`. */
export type CreateContext = (ctx: RequestContext, caller: Caller | null, dryRun?: DryRunStorage) => HandlerContext;

/** Returns a function that creates the context of one request. Caches and locks are shared by all requests, except dry runs. */
export function handlerContexts(parts: HandlerContextParts): CreateContext {
  const { storage, counters, clock, log, masterKey, siteSettings, site, metrics } = parts;
  const logPayment = (payment: LoggedPayment): void => log.info({ payment }, 'the log gateway took a payout; nothing was paid');
  const available = new Map([...createBuiltInGateways(logPayment), ...site.gateways]);
  const gateways = metrics?.countGatewayCalls(available) ?? available;
  const secrets: Record<SecretKind, Secrets> = {
    payout_details: createSecrets('payout_details', masterKey, systemRandom),
    payout_file: createSecrets('payout_file', masterKey, systemRandom),
    webhook_secret: createSecrets('webhook_secret', masterKey, systemRandom),
    store_secret: createSecrets('store_secret', masterKey, systemRandom),
    store_api_secret: createSecrets('store_api_secret', masterKey, systemRandom),
    second_factor: createSecrets('second_factor', masterKey, systemRandom),
  };
  const shared = {
    clock,
    storage,
    counters,
    random: systemRandom,
    siteSettings,
    site,
    gateways,
    ranges: createRangeCache(),
    reports: createReportCaches(),
    locks: new Locks(),
    hashVisitor: createVisitorHasher(masterKey.visitorKey),
    report: (error: unknown, sentence: string): void => log.error({ err: error }, sentence),
    secretsFor: (kind: SecretKind): Secrets => secrets[kind],
  };
  const heavyReads = new QueuePerKey(heavyReadBounds);
  const perRequestParts = { ...parts, heavyReads, recordOrder: createOrderRecorder(parts, shared.hashVisitor) };
  // In the prototype: as properties they would be copied for every request.
  class Context extends PerRequestContext {}
  Object.assign(Context.prototype, shared);
  return (ctx, caller, dryRun) => {
    if (!dryRun) return new Context(perRequestParts, ctx, caller) as Context & typeof shared;
    const isolated = isolateParts(perRequestParts, dryRun, shared.hashVisitor);
    return Object.assign(new Context(isolated, ctx, caller) as Context & typeof shared, isolateShared(shared, dryRun));
  };
}

/** What a dry run has instead, so that it changes no row and nothing in memory, and sends nothing. */
function isolateParts(parts: PerRequestParts, storage: DryRunStorage, hashVisitor: HashVisitor): PerRequestParts {
  const { checkUrl } = parts.webhooks;
  const send = async (): Promise<never> => {
    throw new Error('A dry run sends no webhook.');
  };
  return { ...parts, storage, webhooks: { checkUrl, send }, recordOrder: createOrderRecorder({ ...parts, storage }, hashVisitor) };
}

type SharedParts = Pick<HandlerContext, 'counters' | 'gateways'> & { siteSettings: SiteSettings };

const isolateShared = ({ counters, gateways, siteSettings }: SharedParts, storage: DryRunStorage) => ({
  storage,
  counters: countNothing(counters),
  siteSettings: siteSettings.in(storage),
  gateways: new Map([...gateways.keys()].map((name) => [name, null])),
  ranges: createRangeCache(),
  reports: createReportCaches(),
  locks: new Locks(),
});

/** A hit returns the count that it would lead to. */
const countNothing = (counters: WindowCounters): WindowCounters => ({
  hit: async (name, seconds) => {
    const { count, secondsLeft } = await counters.peek(name, seconds);
    return { count: count + 1, secondsLeft };
  },
  undoHit: async () => {},
  peek: (name, seconds) => counters.peek(name, seconds),
});

type RecordOrder = (order: IncomingOrder, settings: Settings) => Promise<OrderOutcome>;

/** Orders of all requests share transactions. The settings of the latest request apply; orders have no acting user. */
function createOrderRecorder({ storage, clock }: HandlerContextParts, hashVisitor: HashVisitor): RecordOrder {
  let latest: Settings;
  const intake = new OrderIntake({
    storage,
    recordingContext: () => ({ program: buildProgram(latest), now: clock.now(), userId: 0, hashVisitor }),
    isDatabaseFailure: (error) => databaseErrorKind(error) !== null,
  });
  return (order, settings) => {
    latest = settings;
    return intake.record(order);
  };
}

type PerRequestParts = HandlerContextParts & { heavyReads: QueuePerKey; recordOrder: RecordOrder };

/** Created for every request, so functions that few handlers use are created by getters. */
class PerRequestContext {
  readonly #parts: PerRequestParts;
  readonly #ctx: RequestContext;
  readonly #caller: Caller | null;
  readonly settings: Settings;
  readonly now: number;

  constructor(parts: PerRequestParts, ctx: RequestContext, caller: Caller | null) {
    this.#parts = parts;
    this.#ctx = ctx;
    this.#caller = caller;
    this.settings = ctx.state.settings;
    this.now = parts.clock.now();
  }

  get caller(): Caller {
    if (!this.#caller) throw new ApiError('svc_api_unauthorized');
    return this.#caller;
  }

  get confirmed(): unknown {
    return this.#ctx.state.confirmed;
  }

  get readHeavy(): HandlerContext['readHeavy'] {
    return (work) => this.#parts.heavyReads.run(String(this.caller.user.id), () => this.#parts.storage.readHeavy(work));
  }

  get recordOrder(): HandlerContext['recordOrder'] {
    return (order) => this.#parts.recordOrder(order, this.settings);
  }

  get checkUrl(): HandlerContext['checkUrl'] {
    return (url) => this.#parts.webhooks.checkUrl(url, getUrlRules(this.settings, this.#parts.configuration));
  }

  get sendWebhook(): HandlerContext['sendWebhook'] {
    return (message) => this.#parts.webhooks.send(message, getUrlRules(this.settings, this.#parts.configuration));
  }

  get mayCall(): HandlerContext['mayCall'] {
    return (operationId, isAffiliate) =>
      this.#caller !== null &&
      getAvailability(operationId, this.settings) === 'served' &&
      mayCall(operationId, this.#caller, isAffiliate, this.settings);
  }

  get document(): HandlerContext['document'] {
    return () => this.#parts.getDocument(this.#ctx);
  }
}
