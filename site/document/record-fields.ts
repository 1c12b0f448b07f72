import type { RecordName } from '../extension/site-module.ts';
import { isJsonObject, type JsonObject, type OpenApiDocument, parseComponentRef } from './openapi.ts';

/** Records of another schema that the site's module sees as one: `GET /orders` lists orders with their coupons. */
const sameRecord: Readonly<Record<string, RecordName>> = { ProgramOrder: 'Order' };

/** What the site's module declared for a record holds for the schemas that are the same record. */
export function declareForSameRecords(bundle: OpenApiDocument, amended: OpenApiDocument): OpenApiDocument {
  for (const [name, record] of Object.entries(sameRecord)) {
    const [own, declared] = [name, record].map((schema) => amended.components?.schemas?.[schema]?.properties);
    if (!isJsonObject(own) || !isJsonObject(declared)) continue;
    const known = propertiesOf(bundle, record);
    const added = Object.entries(declared).filter(([field]) => !known.includes(field) && !Object.hasOwn(own, field));
    Object.assign(own, Object.fromEntries(added));
  }
  return amended;
}

/** Where a value contains records: itself, its items or its fields. */
export interface RecordLocations {
  readonly record: RecordName | null;
  readonly items: RecordLocations | null;
  readonly fields: readonly (readonly [name: string, places: RecordLocations])[];
}

/** The locations of such records in every response that has any, by operation and status: `get_coupons 200`. */
export function findRecordsInResponses(bundle: OpenApiDocument, wanted: ReadonlySet<RecordName>): ReadonlyMap<string, RecordLocations> {
  const answers = operationsOf(bundle).flatMap(({ operationId, responses }) =>
    Object.entries(isJsonObject(responses) ? responses : {}).flatMap(([status, response]): [string, RecordLocations][] => {
      const places = placesIn(bodyOf(response), bundle, wanted);
      return places ? [[`${String(operationId)} ${status}`, places]] : [];
    }),
  );
  return new Map(answers);
}

const operationsOf = ({ paths }: OpenApiDocument): JsonObject[] =>
  Object.values(paths).flatMap((item) =>
    Object.values(item).filter((part): part is JsonObject => isJsonObject(part) && 'operationId' in part),
  );

/** Without references: shared responses are errors, which contain no records. */
function bodyOf(response: unknown): unknown {
  const content = isJsonObject(response) && isJsonObject(response.content) ? response.content['application/json'] : undefined;
  return isJsonObject(content) ? content.schema : undefined;
}

function placesIn(schema: unknown, bundle: OpenApiDocument, wanted: ReadonlySet<RecordName>): RecordLocations | null {
  if (!isJsonObject(schema)) return null;
  const [section, name = ''] = parseComponentRef(schema) ?? [];
  const within: JsonObject = (section === 'schemas' && bundle.components?.schemas?.[name]) || schema;
  const own = (sameRecord[name] ?? name) as RecordName;
  const record = wanted.has(own) ? own : null;
  const items = placesIn(within.items, bundle, wanted);
  const properties = Object.entries(isJsonObject(within.properties) ? within.properties : {});
  const fields = properties.flatMap(([field, property]): [string, RecordLocations][] => {
    const places = placesIn(property, bundle, wanted);
    return places ? [[field, places]] : [];
  });
  return record || items || fields.length > 0 ? { record, items, fields } : null;
}

/** The properties that the site's module declared beyond the contract, by the name of the schema. */
export type AddedFields = ReadonlyMap<string, ReadonlySet<string>>;

/** `present` may add the fields that `amendOpenapi` declares, and no others. */
export function findAddedFields(bundle: OpenApiDocument, served: OpenApiDocument): AddedFields {
  const added = Object.keys(served.components?.schemas ?? {}).map((name): [string, Set<string>] => {
    // Compared with the bundle: the name of a field of the pro edition is reserved in the free edition too.
    const own = new Set(propertiesOf(bundle, name));
    return [name, new Set(propertiesOf(served, name).filter((property) => !own.has(property)))];
  });
  return new Map(added.filter(([, fields]) => fields.size > 0));
}

function propertiesOf(document: OpenApiDocument, name: string): string[] {
  const properties = document.components?.schemas?.[name]?.properties;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}
