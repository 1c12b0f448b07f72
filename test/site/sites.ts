import { readFileSync } from 'node:fs';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { JsonObject, OpenApiDocument } from '../../site/document/openapi.ts';
import { buildServedDocument, type ServedDocumentParts } from '../../site/document.ts';
import { buildSettings, type Settings } from '../../site/settings/settings.ts';
import { bundleFile } from '../support/contract.ts';

const text = readFileSync(bundleFile, 'utf8');

/** The bundle anew each time: a test that spoils it spoils its own. */
export const bundle = (): OpenApiDocument => JSON.parse(text) as OpenApiDocument;

export const operationIds = Object.keys(operations) as OperationId[];
export const fiveOperations: readonly OperationId[] = ['get_me', 'get_keys', 'post_keys', 'delete_keys_id', 'get_openapi'];
const allButFiveOff = Object.fromEntries(operationIds.filter((id) => !fiveOperations.includes(id)).map((id) => [`switches.${id}`, false]));

/** Add-ons that are inactive by default. */
export const everyAddOn = {
  'addons.store': true,
  'addons.insights': true,
  'addons.management': true,
  'addons.risk': true,
  'addons.agents': true,
};

export function settingsWith(values: Record<string, unknown> = {}): Settings {
  const { settings, problems } = buildSettings(values);
  if (problems.length > 0) throw new Error(problems.map(({ problem }) => problem).join(' '));
  return settings;
}

export interface Site {
  readonly values?: Record<string, unknown>;
}

export const documentOf = ({ values }: Site = {}, parts: Partial<ServedDocumentParts> = {}): OpenApiDocument =>
  buildServedDocument(bundle(), settingsWith(values), parts);

/** Sites that operators really have. */
export const sites: Record<string, Site> = {
  pro: {},
  'every add-on': { values: everyAddOn },
  free: { values: { edition: 'free' } },
  'payouts switched off': { values: { 'switches.payouts': false } },
  'the coupon list switched off': { values: { 'switches.get_coupons': false } },
  'document for admins': { values: { openapi_public: false } },
  'without the payouts add-on': { values: { 'addons.payouts': false } },
  'without the webhooks add-on': { values: { 'addons.webhooks': false } },
  'without the multi-level add-on': { values: { 'addons.multi_level': false } },
  'without any add-on': { values: { 'addons.payouts': false, 'addons.webhooks': false, 'addons.multi_level': false } },
  'all but five operations switched off': { values: allButFiveOff },
  'free, all but five operations switched off': { values: { edition: 'free', ...allButFiveOff } },
};

/** The operations in a document. */
export function operationsIn({ paths }: OpenApiDocument): JsonObject[] {
  return Object.values(paths).flatMap((item) => Object.values(item) as JsonObject[]);
}

/** Without dry runs, whose operations are in the list, too. */
export const idsIn = (document: OpenApiDocument): unknown[] =>
  operationsIn(document).flatMap(({ operationId }) => (String(operationId).includes('_dry_run_') ? [] : [operationId]));
