import { type WebhookEvent, webhookEvents } from '../generated/events.ts';
import { type AccessLevel, type AddOn, accessLevels, addOns, type OperationId, operations } from '../generated/operations.ts';
import { listDryRuns } from './document/dry-run.ts';
import { filterValues, isJsonObject, type JsonObject, type JsonObjects, mapValues, type OpenApiDocument } from './document/openapi.ts';
import { declareForSameRecords } from './document/record-fields.ts';
import { DocumentTrimmer } from './document/trim.ts';
import { describeValue, type ReportFailure, toJson, tryCall } from './extension/failure.ts';
import { buildProgram } from './program.ts';
import { accessLevelExists, getAccess, getAvailability, hasDryRun, isAddOnActive, isEventOffered } from './served.ts';
import type { Settings } from './settings/settings.ts';

export interface ServedDocumentParts {
  readonly amend?: AmendDocument;
  /** Is told when `amend` failed; the document is then served without it. */
  readonly report?: ReportFailure;
}

/**
 * The answer of GET /openapi: what of the bundled contract is served here, and nothing that only the rest refers to. Depends on its
 * arguments alone, so it can be kept as long as the settings stay the same. Shares parts with the bundle: read it, do not change it.
 */
export function buildServedDocument(contract: OpenApiDocument, settings: Settings, parts: ServedDocumentParts = {}): OpenApiDocument {
  const document = trimDocument(contract, settings);
  return parts.amend ? applyAmendment(document, parts.amend, parts.report ?? (() => {})) : document;
}

function trimDocument(contract: OpenApiDocument, settings: Settings): OpenApiDocument {
  const served = servedPaths(contract.paths, settings);
  const dryRuns = isAddOnActive('agents', settings) ? listDryRuns(served, contract) : { paths: {}, schemas: {} };
  const components = { ...contract.components, schemas: { ...contract.components?.schemas, ...dryRuns.schemas } };
  const bundle = { ...contract, components };
  const trimmer = new DocumentTrimmer(bundle, settings);
  const { trimmed, references } = trimmer.trim({
    paths: { ...served, ...dryRuns.paths },
    webhooks: offeredWebhooks(bundle.webhooks ?? {}, settings),
  });
  const { paths, webhooks } = trimmed as Required<Pick<OpenApiDocument, 'paths' | 'webhooks'>>;
  const used = tagsOf(paths, webhooks);
  // Spread first, so that every field keeps the place the bundle gave it.
  const document = {
    ...bundle,
    servers: [{ url: `${buildProgram(settings).serviceUrl}${contract.servers?.[0]?.url ?? ''}`, description: settings.store.name }],
    tags: (bundle.tags ?? []).filter(({ name }) => used.has(name)),
    paths,
    webhooks,
    components: collectComponents(references, bundle, trimmer),
    ...wordsInUse(bundle, settings),
  };
  return filterValues<unknown>(document, (field, name) => name === 'paths' || !isEmpty(field)) as OpenApiDocument;
}

/** Both catalogs without what does not exist here. */
const wordsInUse = (bundle: OpenApiDocument, settings: Settings): JsonObject => ({
  'x-access-levels': catalog(bundle['x-access-levels'], accessLevels, (level) => accessLevelExists(level as AccessLevel, settings)),
  'x-add-on-catalog': catalog(bundle['x-add-on-catalog'], addOns, (addOn) => isAddOnActive(addOn as AddOn, settings)),
});

const catalog = (written: unknown, known: object, isInUse: (word: string) => boolean): JsonObject =>
  filterValues(isJsonObject(written) ? written : {}, (_, word) => Object.hasOwn(known, word) && isInUse(word));

const isEmpty = (field: unknown): boolean => isJsonObject(field) && Object.keys(field).length === 0;

/** The site's own changes to the document. It gets a copy and gives back a whole document. */
type AmendDocument = (document: OpenApiDocument) => OpenApiDocument;

/** The amended document; or, when the site's module failed, the document as it was, with the failure reported. */
export function applyAmendment(document: OpenApiDocument, amend: AmendDocument, report: ReportFailure): OpenApiDocument {
  const member = 'amendOpenapi';
  const attempted = tryCall(member, () => toJson(amend(structuredClone(document))), report);
  if (!attempted) return document;
  if (isOpenApi(attempted.answer)) return declareForSameRecords(document, attempted.answer);
  report({ member, problem: `gave ${describeValue(attempted.answer)} instead of an OpenAPI 3.1 document with info and paths` });
  return document;
}

function isOpenApi(answer: unknown): answer is OpenApiDocument {
  if (!isJsonObject(answer) || !/^3\.1\.\d+$/.test(String(answer.openapi))) return false;
  const { info, paths } = answer;
  return isJsonObject(info) && typeof info.title === 'string' && typeof info.version === 'string' && isJsonObject(paths);
}

type Components = Record<string, Record<string, JsonObject>>;

/**
 * The components that these references lead to, trimmed, in the bundle's order. Trimming comes before looking where a component leads
 * to, because a property that is gone takes its schema with it.
 */
function collectComponents(references: readonly JsonObject[], bundle: OpenApiDocument, trimmer: DocumentTrimmer): Components {
  const reached = new Map<string, unknown>();
  const waiting = [...references];
  for (let reference = waiting.pop(); reference; reference = waiting.pop()) {
    const address = String(reference.$ref);
    if (reached.has(address)) continue;
    const component = trimmer.trim(trimmer.component(reference));
    reached.set(address, component.trimmed);
    waiting.push(...component.references);
  }
  return inOrderOf(bundle, reached, trimmer);
}

function inOrderOf({ components = {} }: OpenApiDocument, reached: ReadonlyMap<string, unknown>, trimmer: DocumentTrimmer): Components {
  const kept = mapValues(components, (section, sectionName) => {
    // The document contains both security schemes.
    if (sectionName === 'securitySchemes') return { ...section };
    return keptOf(section, sectionName, reached, trimmer);
  });
  return Object.fromEntries(Object.entries(kept).filter(([, section]) => Object.keys(section).length > 0));
}

function keptOf(
  section: JsonObjects,
  sectionName: string,
  reached: ReadonlyMap<string, unknown>,
  trimmer: DocumentTrimmer,
): Record<string, JsonObject> {
  const kept = Object.keys(section).flatMap((name): [string, JsonObject][] => {
    const component = reached.get(`#/components/${sectionName}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (!isJsonObject(component)) return [];
    return [[name, sectionName === 'examples' ? trimmer.trimExample(name, component) : component]];
  });
  return Object.fromEntries(kept);
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** The paths with the operations that are served here, each saying who may call here. */
function servedPaths(paths: JsonObjects, settings: Settings): JsonObjects {
  const isServed = (part: unknown, key: string): boolean =>
    !methods.has(key) || (isOurs(part) && getAvailability(part.operationId, settings) === 'served');
  const items = mapValues(paths, (item) => filterValues(item, isServed));
  const inhabited = filterValues(items, (item) => Object.keys(item).some((key) => methods.has(key)));
  return mapValues(inhabited, (item) => mapValues(item, (part) => (isOurs(part) ? withAccess(part, settings) : part)));
}

type OurOperation = JsonObject & { readonly operationId: OperationId };

/** What the generated constants do not know cannot be served: nothing says who may call it. */
const isOurs = (part: unknown): part is OurOperation => isJsonObject(part) && Object.hasOwn(operations, String(part.operationId));

function withAccess(operation: OurOperation, settings: Settings): JsonObject {
  const access = getAccess(operation.operationId, settings);
  const alternatives = Array.isArray(operation.security) ? operation.security : [];
  // `{}` means "or without credentials", which holds for a public operation alone.
  const security = alternatives.filter((alternative) => access.includes('public') || Object.keys(alternative as JsonObject).length > 0);
  const dryRun = 'x-dry-run' in operation && { 'x-dry-run': hasDryRun(operation.operationId, settings) };
  return { ...operation, 'x-access': access, security, ...dryRun, ...confirmationText(operation) };
}

const confirmationText = ({ description, 'x-confirm-password': isNeeded }: JsonObject): JsonObject =>
  isNeeded === undefined ? {} : { description: `${String(description).trimEnd()} ${isNeeded === 'code' ? needsCode : needsPassword}` };

const needsPassword = 'A browser session needs a confirmed password.';
const needsCode = 'A browser session needs a confirmed password, or a code where you have a second factor.';

/** The events this site delivers. */
const offeredWebhooks = (webhooks: JsonObjects, settings: Settings): JsonObjects =>
  filterValues(webhooks, (_, event) => isEvent(event) && isEventOffered(event, settings));

const isEvent = (name: string): name is WebhookEvent => Object.hasOwn(webhookEvents, name);

/** The tags that an operation or a webhook carries. */
function tagsOf(...sections: JsonObjects[]): ReadonlySet<unknown> {
  const parts = sections.flatMap((section) => Object.values(section).flatMap((item) => Object.values(item)));
  return new Set(parts.flatMap((part) => (isJsonObject(part) && Array.isArray(part.tags) ? part.tags : [])));
}
