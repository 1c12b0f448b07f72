import type { RecordName } from '../extension/site-module.ts';
import { componentOf, isPart, type OpenApiDocument, type Part } from './openapi.ts';

/** Where in a value records stand that somebody looks for: itself, in its items, in its fields. */
export interface RecordPlaces {
  readonly record: RecordName | null;
  readonly items: RecordPlaces | null;
  readonly fields: readonly (readonly [name: string, places: RecordPlaces])[];
}

/** For every answer that has such records: where. By operation and status, as `get_coupons 200`. */
export function recordsInAnswers(bundle: OpenApiDocument, wanted: ReadonlySet<RecordName>): ReadonlyMap<string, RecordPlaces> {
  const answers = operationsOf(bundle).flatMap(({ operationId, responses }) =>
    Object.entries(isPart(responses) ? responses : {}).flatMap(([status, response]): [string, RecordPlaces][] => {
      const places = placesIn(bodyOf(response), bundle, wanted);
      return places ? [[`${String(operationId)} ${status}`, places]] : [];
    }),
  );
  return new Map(answers);
}

const operationsOf = ({ paths }: OpenApiDocument): Part[] =>
  Object.values(paths).flatMap((item) => Object.values(item).filter((part): part is Part => isPart(part) && 'operationId' in part));

/** Answers that are written once and referred to are errors, which hold no records. */
function bodyOf(response: unknown): unknown {
  const content = isPart(response) && isPart(response.content) ? response.content['application/json'] : undefined;
  return isPart(content) ? content.schema : undefined;
}

function placesIn(schema: unknown, bundle: OpenApiDocument, wanted: ReadonlySet<RecordName>): RecordPlaces | null {
  if (!isPart(schema)) return null;
  const [section, name = ''] = componentOf(schema) ?? [];
  const within: Part = (section === 'schemas' && bundle.components?.schemas?.[name]) || schema;
  const record = wanted.has(name as RecordName) ? (name as RecordName) : null;
  const items = placesIn(within.items, bundle, wanted);
  const properties = Object.entries(isPart(within.properties) ? within.properties : {});
  const fields = properties.flatMap(([field, property]): [string, RecordPlaces][] => {
    const places = placesIn(property, bundle, wanted);
    return places ? [[field, places]] : [];
  });
  return record || items || fields.length > 0 ? { record, items, fields } : null;
}
