import { isJsonObject, mapValues, type OpenApiDocument, parseComponentRef } from '../../site/document/openapi.ts';

/**
 * Replaces each `$ref` by its component, with the siblings of the `$ref`. A component is resolved once and shared. openapi-backend's own
 * parser takes 180 ms and 15 MB for it at every start.
 */
export function resolveReferences(document: OpenApiDocument): OpenApiDocument {
  const components = new Map<string, unknown>();
  const resolveComponent = (section: string, name: string): unknown => {
    const key = `${section}/${name}`;
    if (!components.has(key)) {
      const component = document.components?.[section]?.[name];
      if (component === undefined) throw new Error(`The contract has no component ${key}. Run "npm run generate".`);
      components.set(key, undefined);
      components.set(key, resolve(component));
    }
    const resolved = components.get(key);
    if (resolved === undefined) throw new Error(`The component ${key} refers to itself, which is not supported.`);
    return resolved;
  };
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve);
    if (!isJsonObject(part)) return part;
    const reference = parseComponentRef(part);
    if (!reference && typeof part.$ref === 'string') throw new Error(`The reference ${part.$ref} is not to a component.`);
    if (!reference) return mapValues(part, resolve);
    const target = resolveComponent(...reference);
    const { $ref: _, ...siblings } = part;
    if (Object.keys(siblings).length === 0) return target;
    // openapi-backend replaces a second use of an object by a reference, also of an array that the two schemas would share, as `enum`.
    return {
      ...mapValues(target as Record<string, unknown>, (value) => (Array.isArray(value) ? [...value] : value)),
      ...mapValues(siblings, resolve),
    };
  };
  return resolve(document) as OpenApiDocument;
}
