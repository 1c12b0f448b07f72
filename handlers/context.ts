import type { Clock } from '../domain/clock.ts';
import type { RangeCache } from '../domain/figures/range-cache.ts';
import type { SecretKind, Secrets } from '../domain/master-key/secrets.ts';
import type { Pay } from '../domain/payouts/gateway.ts';
import type { Locks } from '../domain/payouts/locks.ts';
import type { UnitOfWork } from '../domain/ports.ts';
import type { SecureRandom } from '../domain/random.ts';
import type { ReportCaches } from '../domain/reports/report.ts';
import type { Caller } from '../domain/users/caller.ts';
import type { DeliveryOutcome, WebhookMessage } from '../domain/webhooks/sending.ts';
import type { OperationId } from '../generated/operations.ts';
import type { SiteExtension } from '../site/extension.ts';
import type { Settings } from '../site/settings/settings.ts';
import type { Handler } from './contract-types.ts';

/** What the server hands to every handler beside the request. */
export interface HandlerContext {
  /** Who is calling. Asking for it in a public operation that was called by nobody is answered 401. */
  readonly caller: Caller;
  readonly settings: Settings;
  /** The moment of the request. */
  readonly now: number;
  /** For those who have waited for something outside: the moment at which they go on. */
  readonly clock: Clock;
  readonly storage: UnitOfWork;
  readonly random: SecureRandom;
  /** Figures of ranges that were worked out before, in this process. */
  readonly ranges: RangeCache;
  /** Sums of reports that were worked out before, in this process. */
  readonly reports: ReportCaches;
  /** The site's own module, which has a say in some decisions. */
  readonly site: SiteExtension;
  /** By name, where accepted payouts can go: those of the service and those of the site. */
  readonly gateways: ReadonlyMap<string, Pay>;
  readonly locks: Locks;
  /** Tells the operator of what went wrong without the caller having to know. */
  report(error: unknown, sentence: string): void;
  /** For what is stored encrypted. */
  secretsFor(kind: SecretKind): Secrets;
  /** What is wrong with an address that webhooks should go to, as this site has its rules; null when nothing is. */
  checkUrl(url: string): Promise<string | null>;
  /** Never rejects. */
  sendWebhook(message: WebhookMessage): Promise<DeliveryOutcome>;
  /** Whether this caller may call an operation here and now. */
  mayCall(operationId: OperationId, isAffiliate: boolean): boolean;
  /** The contract as it is served here. */
  document(): Record<string, unknown>;
}

export type OperationHandler<Id extends OperationId> = Handler<Id, HandlerContext>;
