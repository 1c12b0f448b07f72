/** An object of the document. Its position determines what it describes. */
export type JsonObject = Readonly<Record<string, unknown>>;
export type JsonObjects = Readonly<Record<string, JsonObject>>;

/** The parts of an OpenAPI document that the service reads. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: JsonObject & { readonly title: string; readonly version: string };
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: JsonObjects;
  readonly webhooks?: JsonObjects;
  readonly components?: Readonly<Record<string, JsonObjects>>;
  readonly [field: string]: unknown;
}

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

// Loops, because every object of the document is mapped here, and Object.entries would cost more than the mapping itself.

export function mapValues<Value, Result>(
  map: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Result,
): Record<string, Result> {
  const mapped: Record<string, Result> = {};
  for (const key of Object.keys(map)) mapped[key] = change(map[key] as Value, key);
  return mapped;
}

export function filterValues<Value>(
  map: Readonly<Record<string, Value>>,
  predicate: (value: Value, key: string) => boolean,
): Record<string, Value> {
  const kept: Record<string, Value> = {};
  for (const key of Object.keys(map)) if (predicate(map[key] as Value, key)) kept[key] = map[key] as Value;
  return kept;
}

/** `['schemas', 'Coupon']` of `#/components/schemas/Coupon`; the bundle has no other references. */
export function parseComponentRef(part: JsonObject): readonly [section: string, name: string] | null {
  const [, section, name] = typeof part.$ref === 'string' ? (/^#\/components\/([^/]+)\/([^/]+)$/.exec(part.$ref) ?? []) : [];
  return section && name ? [section, name.replaceAll('~1', '/').replaceAll('~0', '~')] : null;
}
