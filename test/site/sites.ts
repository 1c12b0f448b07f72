import { readFileSync } from 'node:fs';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { JsonObject, OpenApiDocument } from '../../site/document/openapi.ts';
import { buildServedDocument, type ServedDocumentParts } from '../../site/document.ts';
import type { BuiltOperations } from '../../site/served.ts';
import { buildSettings, type Settings } from '../../site/settings/settings.ts';
import { bundleFile } from '../support/contract.ts';

const text = readFileSync(bundleFile, 'utf8');

/** The bundle anew each time: a test that spoils it spoils its own. */
export const bundle = (): OpenApiDocument => JSON.parse(text) as OpenApiDocument;

export const operationIds = Object.keys(operations) as OperationId[];
export const allBuilt: BuiltOperations = new Set(operationIds);
export const firstFive: BuiltOperations = new Set<OperationId>(['get_me', 'get_keys', 'post_keys', 'delete_keys_id', 'get_openapi']);

export function settingsWith(values: Record<string, unknown> = {}): Settings {
  const { settings, problems } = buildSettings(values);
  if (problems.length > 0) throw new Error(problems.map(({ problem }) => problem).join(' '));
  return settings;
}

export interface Site {
  readonly values?: Record<string, unknown>;
  readonly built?: BuiltOperations;
}

export const baseUrl = 'https://fjell.shop/api/v2';

export const documentOf = ({ values, built = allBuilt }: Site = {}, parts: Partial<ServedDocumentParts> = {}): OpenApiDocument =>
  buildServedDocument(bundle(), settingsWith(values), { built, baseUrl, ...parts });

/** Sites that operators really have. */
export const sites: Record<string, Site> = {
  pro: {},
  free: { values: { edition: 'free' } },
  'payouts switched off': { values: { 'switches.payouts': false } },
  'the coupon list switched off': { values: { 'switches.get_coupons': false } },
  'document for admins': { values: { openapi_public: false } },
  'without the payouts add-on': { values: { 'addons.payouts': false } },
  'without the webhooks add-on': { values: { 'addons.webhooks': false } },
  'without the multi-level add-on': { values: { 'addons.multi_level': false } },
  'without any add-on': { values: { 'addons.payouts': false, 'addons.webhooks': false, 'addons.multi_level': false } },
  'five operations built': { built: firstFive },
  'free, five operations built': { values: { edition: 'free' }, built: firstFive },
};

/** The operations in a document. */
export function operationsIn({ paths }: OpenApiDocument): JsonObject[] {
  return Object.values(paths).flatMap((item) => Object.values(item) as JsonObject[]);
}

export const idsIn = (document: OpenApiDocument): unknown[] => operationsIn(document).map(({ operationId }) => operationId);
