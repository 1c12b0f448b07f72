import type { HashVisitor } from '../domain/clicks/record.ts';
import type { Clock } from '../domain/clock.ts';
import type { RangeCache } from '../domain/figures/statistics.ts';
import type { RequestKey } from '../domain/idempotency.ts';
import type { SecretKind, Secrets } from '../domain/master-key/secrets.ts';
import type { IncomingOrder, OrderOutcome } from '../domain/order-recording/incoming.ts';
import type { Pay } from '../domain/payouts/gateway.ts';
import type { Locks } from '../domain/payouts/request.ts';
import type { SecureRandom } from '../domain/random.ts';
import type { ReportCaches } from '../domain/reports/report.ts';
import type { Repositories } from '../domain/repositories.ts';
import type { HeavyReads, UnitOfWork } from '../domain/unit-of-work.ts';
import type { Caller } from '../domain/users/user.ts';
import type { DeliveryOutcome, WebhookMessage } from '../domain/webhooks/delivery.ts';
import type { WindowCounters } from '../domain/window-counters.ts';
import type { OperationId } from '../generated/operations.ts';
import type { SiteExtension } from '../site/extension.ts';
import { buildProgram } from '../site/program.ts';
import type { Settings } from '../site/settings/settings.ts';
import type { SiteSettings } from '../site/settings/site-settings.ts';
import type { Handler } from './contract-types.ts';

/** What the server passes to every handler beside the request. */
export interface HandlerContext {
  /** @throws ApiError 401 for an anonymous caller of a public operation. */
  readonly caller: Caller;
  readonly settings: Settings;
  /** Reads and changes them. */
  readonly siteSettings: Pick<SiteSettings, 'describe' | 'setAll'>;
  /** The answer of the dry run that the caller has confirmed, if any: the operation may not do anything else. */
  readonly confirmed: unknown;
  /** The time of the request. */
  readonly now: number;
  /** For the current time after an external call. */
  readonly clock: Clock;
  readonly storage: UnitOfWork<Repositories>;
  /** For a read that may take as long as there is history. A caller has one at a time; some more wait, the rest get 503. */
  readHeavy: HeavyReads<Repositories>['readHeavy'];
  readonly random: SecureRandom;
  /** For limits that hold across all processes. Not to be called within a transaction. */
  readonly counters: WindowCounters;
  /** Cached figures of date ranges. */
  readonly ranges: RangeCache;
  /** Cached sums of reports. */
  readonly reports: ReportCaches;
  /** The site module, which may reject some decisions. */
  readonly site: SiteExtension;
  /** Payment gateways of the service and of the site, by name. Null in a dry run, which calls none. */
  readonly gateways: ReadonlyMap<string, Pay | null>;
  readonly locks: Locks;
  /** Logs an error that does not fail the request. */
  report(error: unknown, sentence: string): void;
  /** Hashes the shop's id of a visitor for storage. */
  readonly hashVisitor: HashVisitor;
  /** Resolves after the commit. Orders that arrive together are committed together. */
  recordOrder(order: IncomingOrder): Promise<OrderOutcome>;
  /** Encrypts and decrypts stored secrets. */
  secretsFor(kind: SecretKind): Secrets;
  /** Returns what is wrong with the URL of a webhook under the rules of this site, or null. */
  checkUrl(url: string): Promise<string | null>;
  /** Never rejects. */
  sendWebhook(message: WebhookMessage): Promise<DeliveryOutcome>;
  /** Whether this caller may call the operation with the current settings. */
  mayCall(operationId: OperationId, isAffiliate: boolean): boolean;
  /** The served OpenAPI document. */
  document(): Record<string, unknown>;
}

export type OperationHandler<Id extends OperationId> = Handler<Id, HandlerContext>;

/** The use of an Idempotency-Key by this caller. Null without a key. */
export const readRequestKey = (
  key: string | undefined,
  operation: OperationId,
  request: string,
  { caller }: Pick<HandlerContext, 'caller'>,
): RequestKey | null => (key === undefined ? null : { userId: caller.user.id, operation, key, request });

/** The part of the context that state changes of the domain need. */
export const changeContext = ({ now, caller, settings }: HandlerContext) => ({
  now,
  userId: caller.user.id,
  program: buildProgram(settings),
});
