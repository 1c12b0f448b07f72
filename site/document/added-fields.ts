import { isJsonObject, type OpenApiDocument } from './openapi.ts';

/** By the name of a schema, the properties that the site's module declared beyond the contract. */
export type AddedFields = ReadonlyMap<string, ReadonlySet<string>>;

/** Decisions, "Extension points": `present` may add the fields that `amendOpenapi` declares, and no others. */
export function findAddedFields(bundle: OpenApiDocument, served: OpenApiDocument): AddedFields {
  const added = Object.keys(served.components?.schemas ?? {}).map((name): [string, Set<string>] => {
    // Compared with the bundle: a field that the contract keeps for the pro edition is not free for the taking in the other.
    const own = new Set(propertiesOf(bundle, name));
    return [name, new Set(propertiesOf(served, name).filter((property) => !own.has(property)))];
  });
  return new Map(added.filter(([, fields]) => fields.size > 0));
}

function propertiesOf(document: OpenApiDocument, name: string): string[] {
  const properties = document.components?.schemas?.[name]?.properties;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}
