import type { Pay } from '../../domain/payouts/gateway.ts';
import { applyAmendment } from '../document/amend.ts';
import { isJsonObject, type OpenApiDocument } from '../document/openapi.ts';
import { describeValue, type ReportFailure, toJson, tryCall } from './failure.ts';
import { guardGateways } from './gateways.ts';
import { guardPresenters, type PresentRecord } from './present.ts';
import type { PayoutHookRequest, ProgramEvent, RateIdentity, RecordName, RegistrationHookRequest, SiteModule } from './site-module.ts';
import { inTime } from './timeout.ts';

/** The site says no. Without a reason the client reads the sentence of the error code. */
export interface HookRefusal {
  readonly reason: string | null;
}

/** A custom event of the site, delivered to its subscribers. */
export interface RaisedWebhookEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The site's module as the rest of the service uses it: nothing here throws or rejects, and every result has been looked at. */
export interface SiteExtension {
  amendOpenapi(document: OpenApiDocument): OpenApiDocument;
  /** Null where the site lets every payout pass. */
  readonly beforePayout: ((request: PayoutHookRequest) => Promise<HookRefusal | null>) | null;
  beforeRegistration(request: RegistrationHookRequest): Promise<HookRefusal | null>;
  rateCeiling(identity: RateIdentity, byDefault: number): number;
  readonly gateways: ReadonlyMap<string, Pay>;
  /** The events of the site's own, for the catalog. */
  readonly webhookEvents: ReadonlyMap<string, { readonly description: string }>;
  /** Which of them this event raises. */
  raisedBy(event: ProgramEvent): RaisedWebhookEvent[];
  /** The records it adds fields to. */
  readonly presented: ReadonlySet<RecordName>;
  readonly present: PresentRecord;
  /** Null where the site does not listen. */
  readonly onEvent: ((event: ProgramEvent) => Promise<void>) | null;
}

/** Bounds the wait of a payout request or a decision on an application. */
const patienceMilliseconds = 10_000;

/** A site without a module is `guardSiteModule({}, report)`. */
export function guardSiteModule(site: SiteModule, report: ReportFailure, patience = patienceMilliseconds): SiteExtension {
  const amend = site.amendOpenapi?.bind(site);
  const events = Object.entries(site.webhookEvents ?? {});
  return {
    amendOpenapi: (document) => (amend ? applyAmendment(document, amend, report) : document),
    beforePayout: site.beforePayout ? (request) => verdict('beforePayout', () => site.beforePayout?.(request), report, patience) : null,
    beforeRegistration: (request) => verdict('beforeRegistration', () => site.beforeRegistration?.(request), report, patience),
    rateCeiling: (identity, byDefault) =>
      site.rateCeiling ? ceiling(() => site.rateCeiling?.(identity, byDefault), byDefault, report) : byDefault,
    gateways: guardGateways(site.gateways ?? {}, report),
    webhookEvents: new Map(events.map(([name, { description }]) => [name, { description }])),
    raisedBy: (event) => events.flatMap(([name, own]) => raised(name, () => own.raisedBy(structuredClone(event)), report)),
    presented: new Set(Object.keys(site.present ?? {}) as RecordName[]),
    present: guardPresenters(site.present ?? {}, report),
    onEvent: site.onEvent ? (event) => told(() => site.onEvent?.(structuredClone(event)), report) : null,
  };
}

/** Fails closed: what is asked about is money or membership, and "no" can be put right later. */
async function verdict(member: string, ask: () => unknown, report: ReportFailure, patience: number): Promise<HookRefusal | null> {
  try {
    const asked = await inTime(Promise.resolve(ask()), patience);
    if (asked.late) {
      report({ member, problem: `has not answered within ${patience / 1000} seconds, which refuses` });
      return { reason: null };
    }
    const answer = asked.value;
    if (answer === undefined || answer === null) return null;
    if (isJsonObject(answer) && typeof answer.refuse === 'string') return { reason: answer.refuse };
    report({ member, problem: `gave ${describeValue(answer)} instead of nothing or { refuse: '…' }, which refuses` });
  } catch (cause) {
    report({ member, problem: 'failed, which refuses', cause });
  }
  return { reason: null };
}

function ceiling(ask: () => unknown, byDefault: number, report: ReportFailure): number {
  const member = 'rateCeiling';
  const attempted = tryCall(member, ask, report);
  if (!attempted) return byDefault;
  const { answer } = attempted;
  // Whole requests: the ceiling is told in the RateLimit-Policy header, which has integers.
  if (typeof answer === 'number' && Number.isFinite(answer) && answer >= 0) return Math.floor(answer);
  report({ member, problem: `gave ${describeValue(answer)} instead of a number from 0 up` });
  return byDefault;
}

function raised(name: string, ask: () => unknown, report: ReportFailure): RaisedWebhookEvent[] {
  const member = `webhookEvents.${name}.raisedBy`;
  const { answer } = tryCall(member, () => toJson(ask()), report) ?? {};
  if (answer === undefined || answer === null) return [];
  if (isJsonObject(answer) && !(answer instanceof Promise)) return [{ event: name, data: answer }];
  report({ member, problem: `gave ${describeValue(answer)} instead of the delivery's data or null` });
  return [];
}

async function told(tell: () => unknown, report: ReportFailure): Promise<void> {
  try {
    await tell();
  } catch (cause) {
    report({ member: 'onEvent', problem: 'failed', cause });
  }
}
