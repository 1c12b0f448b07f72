import { isPart, mapValues, type OpenApiDocument, type Part, type Parts } from './openapi.ts';
import type { Trimmer } from './trim.ts';

type Components = Record<string, Record<string, Part>>;

/**
 * The components that these references lead to, trimmed, in the bundle's order. Trimming comes before looking where a component leads
 * to, because a property that is gone takes its schema with it.
 */
export function reachableComponents(references: readonly Part[], bundle: OpenApiDocument, trimmer: Trimmer): Components {
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

function inOrderOf({ components = {} }: OpenApiDocument, reached: ReadonlyMap<string, unknown>, trimmer: Trimmer): Components {
  const kept = mapValues(components, (section, sectionName) => {
    // Spec, "GET /openapi": the document contains both security schemes.
    if (sectionName === 'securitySchemes') return { ...section };
    return keptOf(section, sectionName, reached, trimmer);
  });
  return Object.fromEntries(Object.entries(kept).filter(([, section]) => Object.keys(section).length > 0));
}

function keptOf(section: Parts, sectionName: string, reached: ReadonlyMap<string, unknown>, trimmer: Trimmer): Record<string, Part> {
  const kept = Object.keys(section).flatMap((name): [string, Part][] => {
    const component = reached.get(`#/components/${sectionName}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (!isPart(component)) return [];
    return [[name, sectionName === 'examples' ? trimmer.trimExample(name, component) : component]];
  });
  return Object.fromEntries(kept);
}
