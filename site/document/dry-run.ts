import { secretNames } from '../../generated/operations.ts';
import { dryRunRoot } from '../served.ts';
import {
  filterValues,
  isJsonObject,
  type JsonObject,
  type JsonObjects,
  mapValues,
  type OpenApiDocument,
  parseComponentRef,
} from './openapi.ts';

export const dryRunHeader = 'X-Svc-Dry-Run';

const dryRunText = 'dry-run';
const unknownTexts: ReadonlySet<string> = new Set([...secretNames, 'key_prefix']);

/** A response body without what exists only once it is saved: ids of new records, and secrets. `isNew`: it is the record that the request creates. */
export function maskUnsaved(body: unknown, isNew: boolean): unknown {
  if (Array.isArray(body)) return body.map(maskOutcome);
  if (!isJsonObject(body)) return body;
  const isUnknown = (name: string): boolean => unknownTexts.has(name) || (isNew && name === 'id');
  const texts = Object.entries(body).flatMap(([name, value]) => (typeof value === 'string' && isUnknown(name) ? [value] : []));
  // The longest first: the prefix of a key is a part of it. Other texts may quote them, such as the address of a connection.
  const mask = (text: string): string =>
    texts.toSorted((one, other) => other.length - one.length).reduce((masked, secret) => masked.replaceAll(secret, dryRunText), text);
  const masked = JSON.parse(JSON.stringify(body, (_name, value) => (typeof value === 'string' ? mask(value) : value))) as JsonObject;
  const lists = mapValues(masked, (value) => (Array.isArray(value) ? value.map(maskOutcome) : value));
  return { ...lists, ...(isNew && 'id' in body && { id: null }) };
}

/** One of a list: a record of the store, or a coupon of a payout run. */
function maskOutcome(item: unknown): unknown {
  if (!isJsonObject(item)) return item;
  if (item.outcome === 'created' && 'id' in item) return { ...item, id: null };
  return item.outcome === 'requested' && 'payout_id' in item ? { ...item, payout_id: null } : item;
}

interface DryRunParts {
  readonly paths: JsonObjects;
  /** Schemas of records that are not saved, by their names. */
  readonly schemas: JsonObjects;
}

/** The paths of all dry runs, for the operations of `paths` that have one. */
export function listDryRuns(paths: JsonObjects, { components = {} }: OpenApiDocument): DryRunParts {
  const schemas: Record<string, JsonObject> = {};
  const replaceSchema = (schema: unknown, isNew: boolean): unknown => {
    const [, name = ''] = isJsonObject(schema) ? (parseComponentRef(schema) ?? []) : [];
    const saved = components.schemas?.[name];
    const unsaved = saved && toUnsaved(saved, isNew);
    if (!unsaved) return schema;
    schemas[`${name}DryRun`] = unsaved;
    return { $ref: `#/components/schemas/${name}DryRun` };
  };
  const examples = components.examples ?? {};
  const withDryRuns = mapValues(paths, (item) => filterValues(item, (part) => isJsonObject(part) && part['x-dry-run'] === true));
  const kept = Object.entries(withDryRuns).filter(([, item]) => Object.keys(item).length > 0);
  const toDryRun = (operation: unknown): JsonObject => toDryRunOperation(operation as JsonObject, { replaceSchema, examples });
  const dryRuns = kept.map(
    ([path, item]) => [`${dryRunRoot}${path}`, { ...sharedParts(paths[path]), ...mapValues(item, toDryRun) }] as const,
  );
  return { paths: Object.fromEntries(dryRuns), schemas };
}

/** The parameters of all operations of a path. */
const sharedParts = (item: JsonObject = {}): JsonObject => filterValues(item, (_, key) => key === 'parameters');

interface Replacing {
  replaceSchema(schema: unknown, isNew: boolean): unknown;
  examples: JsonObjects;
}

function toDryRunOperation(operation: JsonObject, replacing: Replacing): JsonObject {
  return {
    ...operation,
    'x-dry-run': false,
    operationId: String(operation.operationId).replace('_', '_dry_run_'),
    summary: `${String(operation.summary)}, without saving`,
    description: 'The same rules and the same answer. Nothing is saved or sent, so a new record has no `id`, and secrets read `dry-run`.',
    responses: mapValues(operation.responses as JsonObjects, (response, status) =>
      status.startsWith('2') ? toDryRunResponse(response, status === '201', replacing) : response,
    ),
  };
}

function toDryRunResponse(response: JsonObject, isNew: boolean, { replaceSchema, examples }: Replacing): JsonObject {
  const toExample = (example: JsonObject): JsonObject => {
    const [, name = ''] = parseComponentRef(example) ?? [];
    const shown = examples[name] ?? example;
    return { ...shown, value: maskUnsaved(shown.value, isNew) };
  };
  const content = mapValues(response.content as JsonObjects, (media) => ({
    ...media,
    schema: replaceSchema(media.schema, isNew),
    ...(isJsonObject(media.examples) && { examples: mapValues(media.examples as JsonObjects, toExample) }),
  }));
  return { ...response, headers: { ...(response.headers as JsonObject), [dryRunHeader]: header }, content };
}

const header: JsonObject = {
  description: '1: nothing was saved.',
  required: true,
  schema: { type: 'integer', enum: [1] },
  example: 1,
};

/** Undefined for a schema that fits as it is. The same for all responses, because it has one name. */
function toUnsaved(schema: JsonObject, isNew: boolean): JsonObject | undefined {
  const { id, ...properties } = (schema.properties ?? {}) as Record<string, JsonObject>;
  const texts = filterValues(properties, (_, name) => unknownTexts.has(name));
  if (Object.keys(texts).length === 0 && !(isNew && id)) return undefined;
  const unsavedTexts = mapValues(texts, ({ pattern: _pattern, examples: _examples, ...text }) => ({ ...text, examples: [dryRunText] }));
  const unsavedId = { description: 'Null for a new record.', oneOf: [id, { type: 'null' }] };
  return { ...schema, properties: { ...(id && { id: unsavedId }), ...properties, ...unsavedTexts } };
}
