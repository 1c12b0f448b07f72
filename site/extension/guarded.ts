import type { Pay } from '../../domain/payouts/gateway.ts';
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

/** The record with the site's own fields behind it, as far as the served document declares them. */
type PresentRecord = <Given extends object>(name: RecordName, record: Given, declared: AddedFields) => Given;

function guardPresenters(presenters: Presenters, report: ReportFailure): PresentRecord {
  const told = new Set<string>();
  const reportOnce = (member: string, field: string): void => {
    // A page has a hundred records; the log needs one line.
    if (told.has(`${member}.${field}`)) return;
    told.add(`${member}.${field}`);
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

/** An empty object when the site's module failed: the record then goes out as the service made it. */
function fieldsFrom(member: string, call: () => unknown, report: ReportFailure): JsonObject {
  const attempted = tryCall(member, () => toJson(call()), report);
  if (!attempted) return {};
  if (isJsonObject(attempted.answer) && !(attempted.answer instanceof Promise)) return attempted.answer;
  report({ member, problem: `gave ${describeValue(attempted.answer)} instead of an object of fields` });
  return {};
}
