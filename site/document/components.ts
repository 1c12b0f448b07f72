import { isJsonObject, type JsonObject, type JsonObjects, mapValues, type OpenApiDocument } from './openapi.ts';
import type { DocumentTrimmer } from './trim.ts';

type Components = Record<string, Record<string, JsonObject>>;

/**
 * The components that these references lead to, trimmed, in the bundle's order. Trimming comes before looking where a component leads
 * to, because a property that is gone takes its schema with it.
 */
export function collectComponents(references: readonly JsonObject[], bundle: OpenApiDocument, trimmer: DocumentTrimmer): Components {
  const reached = new Map<string, unknown>();
  const waiting = [...references];
  for (let reference = waiting.pop(); reference; reference = waiting.pop()) {
    const address = String(reference.$ref);
    if (reached.has(address)) continue;
    const component = trimmer.trim(trimmer.component(reference));
    reached.set(address, component.trimmed);
    waiting.push(...component.references);
  }
  return inOrderOf(bundle, reached, trimmer);
}

function inOrderOf({ components = {} }: OpenApiDocument, reached: ReadonlyMap<string, unknown>, trimmer: DocumentTrimmer): Components {
  const kept = mapValues(components, (section, sectionName) => {
    // Spec, "GET /openapi": the document contains both security schemes.
    if (sectionName === 'securitySchemes') return { ...section };
    return keptOf(section, sectionName, reached, trimmer);
  });
  return Object.fromEntries(Object.entries(kept).filter(([, section]) => Object.keys(section).length > 0));
}

function keptOf(
  section: JsonObjects,
  sectionName: string,
  reached: ReadonlyMap<string, unknown>,
  trimmer: DocumentTrimmer,
): Record<string, JsonObject> {
  const kept = Object.keys(section).flatMap((name): [string, JsonObject][] => {
    const component = reached.get(`#/components/${sectionName}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (!isJsonObject(component)) return [];
    return [[name, sectionName === 'examples' ? trimmer.trimExample(name, component) : component]];
  });
  return Object.fromEntries(kept);
}
