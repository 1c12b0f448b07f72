import type { NewEvent } from '../../domain/events/event.ts';
import type { Minor } from '../../domain/money.ts';
import type { Payment } from '../../domain/payouts/gateway.ts';
import type { components } from '../../generated/api.d.ts';
import type { OpenApiDocument } from '../document/openapi.ts';

/**
 * Extension points of a site: one file, named by the environment variable SITE_MODULE, whose default export (or export `site`)
 * satisfies this. Every member is optional. The service continues after any error in it, and logs the error: a request that a hook decides
 * about is refused, and everything else falls back to the default behaviour.
 */
export interface SiteModule {
  /** Gets a copy of the document of GET /openapi and returns the whole, changed document. Not async. */
  amendOpenapi?(document: OpenApiDocument): OpenApiDocument;

  /** Called after all rules passed and before the payout is written. Throwing refuses too, without a reason for the client. */
  beforePayout?(request: PayoutHookRequest): HookVerdict | Promise<HookVerdict>;

  /** Called before an application is accepted or declined. Throwing refuses too, without a reason for the client. */
  beforeRegistration?(request: RegistrationHookRequest): HookVerdict | Promise<HookVerdict>;

  /** Requests that this identity may send in a minute: a whole number; 0 allows none. Called for every request, so not async. */
  rateCeiling?(identity: RateIdentity, byDefault: number): number;

  /** Payment gateways by name: the setting `payouts.auto_accept.gateway` selects one. `manual` and `log` are reserved. */
  gateways?: Readonly<Record<string, Gateway>>;

  /** Additional events of the webhook catalog by name. Names look like `payout.large`. */
  webhookEvents?: Readonly<Record<string, SiteWebhookEvent>>;

  /**
   * Additional fields by record. Only fields that `amendOpenapi` declares as properties of that schema are returned, and none can replace a
   * field of the contract. Called for every record of a response, also for nested ones (the coupons of an affiliate), each time; so not
   * async. Every schema is a record of its own: a field that coupons have in the list and alone is declared and returned for Coupon and
   * for CouponDetail.
   */
  present?: Presenters;

  /**
   * Called for every event after its commit, by the process that recorded it: the service (with WORKERS, one of its processes), a worker,
   * or a command. In the order of the feed, for the events of that process. It is not awaited and not repeated: use GET /events or a
   * webhook if no event may be missed, not even when a process dies.
   */
  onEvent?(event: ProgramEvent): void | Promise<void>;
}

/** Nothing allows the request. Otherwise the sentence is the message of the refusal. */
// oxlint-disable-next-line typescript/no-invalid-void-type -- a hook without a return statement is the common case
export type HookVerdict = void | undefined | null | { readonly refuse: string };

export interface PayoutHookRequest {
  readonly couponId: number;
  readonly couponCode: string;
  /** The affiliate who would be paid. */
  readonly userId: number;
  readonly amountMinor: Minor;
  readonly currency: string;
  /** Null where the store does not require payout details and none are saved. */
  readonly methodType: string | null;
  /** The user who requests the payout: the affiliate, or an admin. */
  readonly requestedBy: number;
}

export interface RegistrationHookRequest {
  readonly registrationId: number;
  readonly decision: 'accepted' | 'declined';
  readonly applicant: { readonly email: string; readonly displayName: string };
  readonly couponCode: string;
  readonly decidedBy: number;
}

export type RateIdentity =
  | { readonly kind: 'key'; readonly keyId: number; readonly userId: number }
  | { readonly kind: 'user'; readonly userId: number }
  | { readonly kind: 'anonymous' };

/** Pays, or passes the payout to a payment provider. Called at most once for a payout, unless the payout is requested again. */
export type Gateway = (payment: Payment) => GatewayAnswer | Promise<GatewayAnswer>;

export interface GatewayAnswer {
  /**
   * created: in progress. paid: settled. failed: not accepted now. rejected: this payment cannot be made, because of its details for
   * example. After both the payout stays pending, with the notice.
   */
  readonly status: 'created' | 'paid' | 'failed' | 'rejected';
  /** The provider's id of the payment. */
  readonly transactionId?: string;
  /** For the caller, as `gateway_notice`. */
  readonly notice?: string;
}

export interface SiteWebhookEvent {
  /** One sentence for GET /webhooks/events. */
  readonly description: string;
  /**
   * Called for every program event when it is recorded. Returns the `data` of the delivery, or null if the event does not raise this one.
   * Runs inside the transaction, so not async: a delivery is stored together with its event, or not at all.
   */
  raisedBy(event: ProgramEvent): Readonly<Record<string, unknown>> | null;
}

export type ProgramEvent = Readonly<NewEvent>;

/**
 * The records a site can add fields to, by the names of their schemas. Not KeyCreated and WebhookCreated: the secrets that they
 * show once are for the caller only.
 */
export const recordNames = [
  'Affiliate',
  'AffiliateDetail',
  'AffiliateStats',
  'Coupon',
  'CouponDetail',
  'CouponWithStats',
  'CouponStats',
  'Order',
  'Payout',
  'PayoutCreated',
  'Registration',
  'ClickStats',
  'Event',
  'ReportSummary',
  'Key',
  'Me',
  'Webhook',
] as const satisfies (keyof components['schemas'])[];

export type RecordName = (typeof recordNames)[number];

export type Presenters = {
  readonly [Name in RecordName]?: (record: components['schemas'][Name]) => Readonly<Record<string, unknown>>;
};
