import { type OperationId, operations } from '../../generated/operations.ts';
import { getAvailability, type MarkedProperty, needsAreMet, propertyExists, type WrittenNeeds } from '../served.ts';
import type { Settings } from '../settings/settings.ts';
import { filterValues, isJsonObject, type JsonObject, mapValues, type OpenApiDocument, parseComponentRef } from './openapi.ts';

/**
 * Extensions that are useless to a client: `x-transitions` names internal states and pools, `x-extends` is for lint, `x-set-by` for the
 * handler types, `x-import-only` for the command line, `x-tool` for /mcp, and `x-access-when` and `x-value-availability` are already applied to the served document. The others remain: access,
 * scope, error codes, conditions of fields, secrets.
 */
const internalFields = new Set([
  'x-transitions',
  'x-extends',
  'x-set-by',
  'x-access-when',
  'x-value-availability',
  'x-import-only',
  'x-tool',
]);

const exampleFields = ['example', 'examples', 'default'];

/** Removes from parts of the bundle what this site does not have: absent properties and enum values, also in examples. */
export class DocumentTrimmer {
  readonly #bundle: OpenApiDocument;
  readonly #reader: SchemaReader;
  /** The schemas of the places that refer to a shared example, by its name. */
  readonly #shownFor = new Map<string, unknown[]>();

  constructor(bundle: OpenApiDocument, settings: Settings) {
    this.#bundle = bundle;
    const target = (schema: JsonObject): JsonObject | undefined => this.component(schema);
    this.#reader = {
      target,
      exists: (property) => propertyExists({ ...target(property), ...property } as MarkedProperty, settings),
      hasValue: (schema, value) => {
        const needs = { ...target(schema), ...schema }['x-value-availability'];
        const needed = isJsonObject(needs) && typeof value === 'string' && Object.hasOwn(needs, value) ? needs[value] : {};
        return needsAreMet(needed as WrittenNeeds, settings);
      },
      isAbsentOperation: (item) =>
        typeof item === 'string' && Object.hasOwn(operations, item) && getAvailability(item as OperationId, settings) !== 'served',
    };
  }

  component(reference: JsonObject): JsonObject | undefined {
    const [section = '', name = ''] = parseComponentRef(reference) ?? [];
    return this.#bundle.components?.[section]?.[name];
  }

  /** The trimmed part, and the references that are left in it. */
  trim(part: unknown): { trimmed: unknown; references: JsonObject[] } {
    const references: JsonObject[] = [];
    const trimmed = mapSchemaObjects(part, (found) => {
      if (typeof found.$ref === 'string') references.push(found);
      const present = this.#withoutAbsentParameters(this.#withoutAbsentProperties(this.#withoutAbsentValues(found)));
      return this.#withTrueExamples(withoutInternalFields(present), found);
    });
    return { trimmed, references };
  }

  /** Trims a shared example. Call it after everything that refers to it is trimmed. */
  trimExample(name: string, example: JsonObject): JsonObject {
    const schemas = this.#shownFor.get(name) ?? [];
    return { ...example, value: schemas.reduce((value, schema) => removeAbsentFields(value, schema, this.#reader), example.value) };
  }

  #withoutAbsentValues(part: JsonObject): JsonObject {
    if (!Array.isArray(part.enum) || !('x-value-availability' in part)) return part;
    return { ...part, enum: part.enum.filter((value) => this.#reader.hasValue(part, value)) };
  }

  #withoutAbsentProperties(part: JsonObject): JsonObject {
    if (!isJsonObject(part.properties)) return part;
    const properties = filterValues(part.properties, (property) => !isJsonObject(property) || this.#reader.exists(property));
    const isLeft = (name: string): boolean => Object.hasOwn(properties, name);
    return { ...part, properties, ...(Array.isArray(part.required) && { required: part.required.filter(isLeft) }) };
  }

  #withoutAbsentParameters(part: JsonObject): JsonObject {
    if (!Array.isArray(part.parameters)) return part;
    return { ...part, parameters: part.parameters.filter((parameter) => !isJsonObject(parameter) || this.#reader.exists(parameter)) };
  }

  /** `original` still has the properties that were removed from `part`, which examples must lose too. */
  #withTrueExamples(part: JsonObject, original: JsonObject): JsonObject {
    if (!exampleFields.some((field) => field in part)) return part;
    const isMessage = isJsonObject(original.schema);
    const schema = isMessage ? original.schema : original;
    const shown = (value: unknown): unknown => removeAbsentFields(value, schema, this.#reader);
    const changed: Record<string, unknown> = {};
    for (const field of ['example', 'default']) if (field in part) changed[field] = shown(part[field]);
    if (Array.isArray(part.examples)) changed.examples = part.examples.map(shown);
    else if (isMessage && isJsonObject(part.examples))
      changed.examples = mapValues(part.examples, (example) => this.#named(example, schema));
    return { ...part, ...changed };
  }

  #named(example: unknown, schema: unknown): unknown {
    if (!isJsonObject(example)) return example;
    const [, name] = parseComponentRef(example) ?? [];
    if (name === undefined) return { ...example, value: removeAbsentFields(example.value, schema, this.#reader) };
    this.#shownFor.set(name, [...(this.#shownFor.get(name) ?? []), schema]);
    return example;
  }
}

const withoutInternalFields = (part: JsonObject): JsonObject =>
  Object.keys(part).some((key) => internalFields.has(key)) ? filterValues(part, (_, key) => !internalFields.has(key)) : part;

interface SchemaReader {
  /** The target of a reference; undefined if the schema has none. */
  target(schema: JsonObject): JsonObject | undefined;
  /** Whether records of this site have this property. */
  exists(property: JsonObject): boolean;
  /** Whether this site has this value of an enum. */
  hasValue(schema: JsonObject, value: unknown): boolean;
  /** Whether an item of a list is the operationId of an operation that this site does not serve. */
  isAbsentOperation(item: unknown): boolean;
}

/** Removes properties, records and operations from an example that this site does not have. */
function removeAbsentFields(value: unknown, schema: unknown, reader: SchemaReader): unknown {
  if (!isJsonObject(schema) || typeof value !== 'object' || value === null) return value;
  const others = [reader.target(schema), ...alternatives(schema)];
  const rest = others.reduce((left, other) => removeAbsentFields(left, other, reader), value);
  if (Array.isArray(rest))
    return rest
      .filter((item) => !reader.isAbsentOperation(item) && existsAsRecord(item, schema.items, reader))
      .map((item) => removeAbsentFields(item, schema.items, reader));
  return isJsonObject(rest) ? recordWithoutAbsent(rest, schema, reader) : rest;
}

/** False if a field has an enum value that this site does not have. */
function existsAsRecord(item: unknown, schema: unknown, reader: SchemaReader): boolean {
  if (!isJsonObject(item) || !isJsonObject(schema)) return true;
  const { properties } = { ...reader.target(schema), ...schema };
  return Object.entries(isJsonObject(properties) ? properties : {}).every(
    ([name, property]) => !isJsonObject(property) || reader.hasValue(property, item[name]),
  );
}

const alternatives = (schema: JsonObject): unknown[] => ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword] ?? []);

function recordWithoutAbsent(record: JsonObject, schema: JsonObject, reader: SchemaReader): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const schemaOf = (name: string): unknown => (Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties);
  const isThere = ([name]: [string, unknown]): boolean => {
    const property = Object.hasOwn(properties, name) && properties[name];
    return !isJsonObject(property) || reader.exists(property);
  };
  const kept = Object.fromEntries(Object.entries(record).filter(isThere));
  return mapValues(kept, (field, name) => removeAbsentFields(field, schemaOf(name), reader));
}

// A record may have a property called `default` or `value`, and an example a field called `properties`. What is schema and what is data
// is therefore decided by the position, never by the name alone.

/** Keywords whose values are data. */
const holdData = new Set(['example', 'default', 'const', 'enum', 'value']);

/** Keywords whose values are maps with arbitrary names as keys. */
const holdNames = new Set([
  'paths',
  'webhooks',
  'schemas',
  'responses',
  'parameters',
  'headers',
  'examples',
  'requestBodies',
  'content',
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
]);

/** Copies a part of the document with `change` applied to every schema object, outer ones first. */
function mapSchemaObjects(part: unknown, change: (part: JsonObject) => JsonObject): unknown {
  if (Array.isArray(part)) return part.map((item) => mapSchemaObjects(item, change));
  if (!isJsonObject(part)) return part;
  return mapValues(change(part), (value, key) => {
    if (isData(key, value)) return value;
    return holdNames.has(key) && isJsonObject(value)
      ? mapValues(value, (named) => mapSchemaObjects(named, change))
      : mapSchemaObjects(value, change);
  });
}

// `examples` is a list of data on a schema, and a map of named examples everywhere else.
const isData = (key: string, value: unknown): boolean =>
  holdData.has(key) || key.startsWith('x-') || (key === 'examples' && Array.isArray(value));
