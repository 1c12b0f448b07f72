import type { NewEvent } from '../../domain/events/event.ts';
import type { Minor } from '../../domain/money.ts';
import type { Payment } from '../../domain/payouts/gateway.ts';
import type { components } from '../../generated/api.d.ts';
import type { OpenApiDocument } from '../document/openapi.ts';

/**
 * What a site may add to the service: one file, named by the environment variable SITE_MODULE, whose default export (or export `site`)
 * satisfies this. Every member is optional. Whatever it throws, the service goes on: a request that it was asked about is refused and says
 * so, everything else falls back to what the service does without it, and the log tells.
 */
export interface SiteModule {
  /** Gets a copy of the document of GET /openapi and gives back the whole, changed. Not async. */
  amendOpenapi?(document: OpenApiDocument): OpenApiDocument;

  /** Asked after all rules passed and before the payout is written. Throwing refuses too, without telling the client why. */
  beforePayout?(request: PayoutHookRequest): HookVerdict | Promise<HookVerdict>;

  /** Asked before an application is accepted or declined. Throwing refuses too, without telling the client why. */
  beforeRegistration?(request: RegistrationHookRequest): HookVerdict | Promise<HookVerdict>;

  /** Requests this identity has in a minute: a whole number; 0 lets none pass. Asked with every request, so not async. */
  rateCeiling?(identity: RateIdentity, byDefault: number): number;

  /** By name, where accepted payouts can go: the setting `payouts.auto_accept.gateway` chooses one. `manual` and `log` are taken. */
  gateways?: Readonly<Record<string, Gateway>>;

  /** By name, events that join the webhook catalog. Names look like `payout.large`. */
  webhookEvents?: Readonly<Record<string, SiteWebhookEvent>>;

  /**
   * By record, fields to add to it. Only fields that `amendOpenapi` declares as properties of that schema are given out, and none can
   * replace a field of the contract. Asked for every record of an answer, also for those inside another (the coupons of an affiliate),
   * each time it is given; so not async. Every schema is a record of its own: a field that coupons have in the list and alone is declared
   * and given for Coupon and for CouponDetail.
   */
  present?: Presenters;

  /**
   * Told of every event once it is committed, by the process that recorded it: the service (with WORKERS, the one of them that did), a
   * worker, or a command. In the order of the feed, as far as that process wrote it. It is not awaited and not repeated: what
   * must not miss anything, not even while a process dies, follows GET /events or has a webhook.
   */
  onEvent?(event: ProgramEvent): void | Promise<void>;
}

/** Nothing: go on. Otherwise the sentence that the client reads. */
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
  /** Who asks: the affiliate, or an admin. */
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

/** Pays, or hands the payout to what pays. It is called at most once for a payout, unless the payout is requested again. */
export type Gateway = (payment: Payment) => GatewayAnswer | Promise<GatewayAnswer>;

export interface GatewayAnswer {
  /** created: under way. paid: settled. failed: not taken; the payout stays pending. */
  readonly status: 'created' | 'paid' | 'failed';
  /** The provider's own number for it. */
  readonly transactionId?: string;
  /** Worth passing on to the caller, as `gateway_notice`. */
  readonly notice?: string;
}

export interface SiteWebhookEvent {
  /** One sentence for GET /webhooks/events. */
  readonly description: string;
  /**
   * Asked of every program event as it is recorded. The `data` of the delivery, or null when the event does not raise this one.
   * Runs inside the transaction, so not async: a delivery is stored with what caused it, or not at all.
   */
  raisedBy(event: ProgramEvent): Readonly<Record<string, unknown>> | null;
}

export type ProgramEvent = Readonly<NewEvent>;

/**
 * The records a site can add fields to, by the names of their schemas. Not KeyCreated and WebhookCreated: what they show once, in clear,
 * is for the caller alone.
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
