import { isJsonObject, type JsonObject, mapValues } from './openapi.ts';

export interface SchemaReader {
  /** Where a reference leads to; undefined when there is none. */
  target(schema: JsonObject): JsonObject | undefined;
  /** Whether records have this property here. */
  exists(property: JsonObject): boolean;
}

/** An example's value without the properties that its schema does not have here. */
export function removeAbsentFields(value: unknown, schema: unknown, reader: SchemaReader): unknown {
  if (!isJsonObject(schema) || typeof value !== 'object' || value === null) return value;
  const others = [reader.target(schema), ...alternatives(schema)];
  const rest = others.reduce((left, other) => removeAbsentFields(left, other, reader), value);
  if (Array.isArray(rest)) return rest.map((item) => removeAbsentFields(item, schema.items, reader));
  return isJsonObject(rest) ? recordWithoutAbsent(rest, schema, reader) : rest;
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
