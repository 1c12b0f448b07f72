import type { Pay } from '../../domain/payouts/gateway.ts';
import { withTimeout } from '../../domain/timeout.ts';
import { isJsonObject, type JsonObject, type OpenApiDocument } from '../document/openapi.ts';
import type { AddedFields } from '../document/record-fields.ts';
import { applyAmendment } from '../document.ts';
import { describeValue, type ReportFailure, toJson, tryCall } from './failure.ts';
import { guardGateways } from './gateways.ts';
import type {
  PayoutHookRequest,
  Presenters,
  ProgramEvent,
  RateIdentity,
  RecordName,
  RegistrationHookRequest,
  SiteModule,
} from './site-module.ts';

/** A refusal by the site. Without a reason the response has the sentence of the error code. */
export interface HookRefusal {
  readonly reason: string | null;
}

/** A custom event of the site, delivered to its subscribers. */
export interface RaisedWebhookEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The site's module as the rest of the service uses it: nothing here throws or rejects, and every result is validated. */
export interface SiteExtension {
  amendOpenapi(document: OpenApiDocument): OpenApiDocument;
  /** Null for a site without this hook. */
  readonly beforePayout: ((request: PayoutHookRequest) => Promise<HookRefusal | null>) | null;
  beforeRegistration(request: RegistrationHookRequest): Promise<HookRefusal | null>;
  rateCeiling(identity: RateIdentity, byDefault: number): number;
  readonly gateways: ReadonlyMap<string, Pay>;
  /** The site's own events, for the catalog. */
  readonly webhookEvents: ReadonlyMap<string, { readonly description: string }>;
  /** Which of them this event raises. */
  raisedBy(event: ProgramEvent): RaisedWebhookEvent[];
  /** The records it adds fields to. */
  readonly presented: ReadonlySet<RecordName>;
  readonly present: PresentRecord;
  /** Null for a site without a listener. */
  readonly onEvent: ((event: ProgramEvent) => Promise<void>) | null;
}

/** Bounds the wait of a payout request or a decision on an application. */
const hookTimeoutMs = 10_000;

const late = Symbol('late');

/** A site without a module is `guardSiteModule({}, report)`. */
export function guardSiteModule(site: SiteModule, report: ReportFailure, timeoutMs = hookTimeoutMs): SiteExtension {
  const amend = site.amendOpenapi?.bind(site);
  const events = Object.entries(site.webhookEvents ?? {});
  return {
    amendOpenapi: (document) => (amend ? applyAmendment(document, amend, report) : document),
    beforePayout: site.beforePayout ? (request) => callHook('beforePayout', () => site.beforePayout?.(request), report, timeoutMs) : null,
    beforeRegistration: (request) => callHook('beforeRegistration', () => site.beforeRegistration?.(request), report, timeoutMs),
    rateCeiling: (identity, byDefault) =>
      site.rateCeiling ? callRateCeiling(() => site.rateCeiling?.(identity, byDefault), byDefault, report) : byDefault,
    gateways: guardGateways(site.gateways ?? {}, report),
    webhookEvents: new Map(events.map(([name, { description }]) => [name, { description }])),
    raisedBy: (event) => events.flatMap(([name, own]) => callRaisedBy(name, () => own.raisedBy(structuredClone(event)), report)),
    presented: new Set(Object.keys(site.present ?? {}) as RecordName[]),
    present: guardPresenters(site.present ?? {}, report),
    onEvent: site.onEvent ? (event) => callOnEvent(() => site.onEvent?.(structuredClone(event)), report) : null,
  };
}

/** Fails closed: a hook decides about money or membership, and a refusal can be corrected later. */
async function callHook(member: string, call: () => unknown, report: ReportFailure, timeoutMs: number): Promise<HookRefusal | null> {
  try {
    const answer = await withTimeout<unknown, typeof late>(Promise.resolve(call()), timeoutMs, () => late);
    if (answer === undefined || answer === null) return null;
    if (isJsonObject(answer) && typeof answer.refuse === 'string') return { reason: answer.refuse };
    if (answer === late) report({ member, problem: `has not answered within ${timeoutMs / 1000} seconds, which refuses` });
    else report({ member, problem: `gave ${describeValue(answer)} instead of nothing or { refuse: '…' }, which refuses` });
  } catch (cause) {
    report({ member, problem: 'failed, which refuses', cause });
  }
  return { reason: null };
}

function callRateCeiling(call: () => unknown, byDefault: number, report: ReportFailure): number {
  const member = 'rateCeiling';
  const attempted = tryCall(member, call, report);
  if (!attempted) return byDefault;
  const { answer } = attempted;
  // Whole requests: the RateLimit-Policy header has integers only.
  if (typeof answer === 'number' && Number.isFinite(answer) && answer >= 0) return Math.floor(answer);
  report({ member, problem: `gave ${describeValue(answer)} instead of a number from 0 up` });
  return byDefault;
}

function callRaisedBy(name: string, call: () => unknown, report: ReportFailure): RaisedWebhookEvent[] {
  const member = `webhookEvents.${name}.raisedBy`;
  const { answer } = tryCall(member, () => toJson(call()), report) ?? {};
  if (answer === undefined || answer === null) return [];
  if (isJsonObject(answer) && !(answer instanceof Promise)) return [{ event: name, data: answer }];
  report({ member, problem: `gave ${describeValue(answer)} instead of the delivery's data or null` });
  return [];
}

async function callOnEvent(call: () => unknown, report: ReportFailure): Promise<void> {
  try {
    await call();
  } catch (cause) {
    report({ member: 'onEvent', problem: 'failed', cause });
  }
}

/** Appends the site's own fields to the record, as far as the served document declares them. */
type PresentRecord = <Fields extends object>(name: RecordName, record: Fields, declared: AddedFields) => Fields;

function guardPresenters(presenters: Presenters, report: ReportFailure): PresentRecord {
  const reported = new Set<string>();
  const reportOnce = (member: string, field: string): void => {
    // A page has a hundred records; the log needs one line.
    if (reported.has(`${member}.${field}`)) return;
    reported.add(`${member}.${field}`);
    report({ member, problem: `added ${field}, which amendOpenapi does not declare; it is left out` });
  };
  return (name, record, declared) => {
    const presenter = presenters[name] as ((record: unknown) => unknown) | undefined;
    if (!presenter) return record;
    const member = `present.${name}`;
    const fields = Object.entries(fieldsFrom(member, () => presenter.call(presenters, structuredClone(record)), report));
    const isDeclared = ([field]: [string, unknown]): boolean => declared.get(name)?.has(field) ?? false;
    for (const [field] of fields.filter((entry) => !isDeclared(entry))) reportOnce(member, field);
    return { ...record, ...Object.fromEntries(fields.filter(isDeclared)) };
  };
}

/** An empty object if the site's module failed: the record is then returned unchanged. */
function fieldsFrom(member: string, call: () => unknown, report: ReportFailure): JsonObject {
  const attempted = tryCall(member, () => toJson(call()), report);
  if (!attempted) return {};
  if (isJsonObject(attempted.answer) && !(attempted.answer instanceof Promise)) return attempted.answer;
  report({ member, problem: `gave ${describeValue(attempted.answer)} instead of an object of fields` });
  return {};
}
