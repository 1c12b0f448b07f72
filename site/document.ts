import { type AccessLevel, type AddOn, accessLevels, addOns } from '../generated/operations.ts';
import { type AmendDocument, applyAmendment } from './document/amend.ts';
import { collectComponents } from './document/components.ts';
import { filterValues, isJsonObject, type JsonObject, type OpenApiDocument } from './document/openapi.ts';
import { offeredWebhooks, servedPaths, tagsOf } from './document/routes.ts';
import { DocumentTrimmer } from './document/trim.ts';
import type { ReportFailure } from './extension/failure.ts';
import { accessLevelExists, isAddOnActive } from './served.ts';
import type { Settings } from './settings/settings.ts';

export interface ServedDocumentParts {
  /** The API's full address, as a client reaches it: `https://shop.example/api/v2`. */
  readonly baseUrl: string;
  readonly amend?: AmendDocument;
  /** Is told when `amend` failed; the document is then served without it. */
  readonly report?: ReportFailure;
}

/**
 * The answer of GET /openapi: what of the bundled contract is served here, and nothing that only the rest refers to. Depends on its
 * arguments alone, so it can be kept as long as the settings stay the same. Shares parts with the bundle: read it, do not change it.
 */
export function buildServedDocument(bundle: OpenApiDocument, settings: Settings, parts: ServedDocumentParts): OpenApiDocument {
  const document = documentOf(bundle, settings, parts);
  return parts.amend ? applyAmendment(document, parts.amend, parts.report ?? (() => {})) : document;
}

function documentOf(bundle: OpenApiDocument, settings: Settings, { baseUrl }: ServedDocumentParts): OpenApiDocument {
  const trimmer = new DocumentTrimmer(bundle, settings);
  const { trimmed, references } = trimmer.trim({
    paths: servedPaths(bundle.paths, settings),
    webhooks: offeredWebhooks(bundle.webhooks ?? {}, settings),
  });
  const { paths, webhooks } = trimmed as Required<Pick<OpenApiDocument, 'paths' | 'webhooks'>>;
  const used = tagsOf(paths, webhooks);
  // Spread first, so that every field keeps the place the bundle gave it.
  const document = {
    ...bundle,
    servers: [{ url: baseUrl, description: settings.store.name }],
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
