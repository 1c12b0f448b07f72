import { isJsonObject, type JsonObject, mapValues } from './openapi.ts';

// A record may well have a property called `default` or `value`; and an example may well hold something called `properties`. What is
// description and what is data is therefore decided by the place, never by the name alone.

/** Their values are data. */
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

/** A copy of a part of the document in which every object of the description went through `change`, outer ones first. */
export function mapSchemaObjects(part: unknown, change: (part: JsonObject) => JsonObject): unknown {
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
