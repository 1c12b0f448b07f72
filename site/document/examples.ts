import { isPart, mapValues, type Part } from './openapi.ts';

export interface SchemaReader {
  /** Where a reference leads to; undefined when there is none. */
  target(schema: Part): Part | undefined;
  /** Whether records have this property here. */
  exists(property: Part): boolean;
}

/** An example's value without the properties that its schema does not have here. */
export function withoutAbsent(value: unknown, schema: unknown, reader: SchemaReader): unknown {
  if (!isPart(schema) || typeof value !== 'object' || value === null) return value;
  const others = [reader.target(schema), ...alternatives(schema)];
  const rest = others.reduce((left, other) => withoutAbsent(left, other, reader), value);
  if (Array.isArray(rest)) return rest.map((item) => withoutAbsent(item, schema.items, reader));
  return isPart(rest) ? recordWithoutAbsent(rest, schema, reader) : rest;
}

const alternatives = (schema: Part): unknown[] => ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword] ?? []);

function recordWithoutAbsent(record: Part, schema: Part, reader: SchemaReader): Part {
  const properties = isPart(schema.properties) ? schema.properties : {};
  const schemaOf = (name: string): unknown => (Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties);
  const isThere = ([name]: [string, unknown]): boolean => {
    const property = Object.hasOwn(properties, name) && properties[name];
    return !isPart(property) || reader.exists(property);
  };
  const kept = Object.fromEntries(Object.entries(record).filter(isThere));
  return mapValues(kept, (field, name) => withoutAbsent(field, schemaOf(name), reader));
}
