import { normalizeText } from '../../domain/records/formats.ts';
import type { JsonSchema } from './document.ts';

/** The values of one name in a query string or a form. */
interface RawValues {
  readonly texts: string[];
  /** True for `name[]=…` and `name[0]=…`, which mean a list even when there is one entry. */
  readonly asList: boolean;
}

export type Pairs = Map<string, RawValues>;

/** Converts the texts of one name into a value of the schema's type. */
export type ReadValues = (values: RawValues) => unknown;

const listSuffix = /\[\d*\]$/;
const integerText = /^(?:0|-?[1-9]\d*)$/;
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const booleanTexts = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Parses `a=1&a=2&b[]=3`. Never throws: text that cannot be percent-decoded stays as it is. */
export function readPairs(text: string): Pairs {
  const pairs: Pairs = new Map();
  for (const [key, value] of new URLSearchParams(text)) {
    const asList = key.endsWith(']') && listSuffix.test(key);
    const name = asList ? key.replace(listSuffix, '') : key;
    const values = pairs.get(name);
    if (values) values.texts.push(value);
    else pairs.set(name, { texts: [value], asList });
  }
  return pairs;
}

/** A scalar that is sent more than once, or as a list, stays an array, which no schema of a scalar accepts. */
export function compileReader(schema: JsonSchema, explode = true): ReadValues {
  if (!isArray(schema)) {
    const read = compileTextReader(schema);
    return ({ texts, asList }) => (texts.length === 1 && !asList ? read(texts[0] ?? '') : texts);
  }
  const readItem = compileTextReader(schema.items ?? {});
  return ({ texts }) => (explode ? texts : texts.flatMap((text) => text.split(','))).map(readItem);
}

export function isArray(schema: JsonSchema): boolean {
  return typesOf(schema).has('array');
}

/** Strict: a text that is not exactly a value of the type stays a string, and the validator reports it. */
export function compileTextReader(schema: JsonSchema): (text: string) => unknown {
  const types = typesOf(schema);
  if (types.has('string')) return (text) => normalizeText(schema.format, text);
  const readers = [
    ...(types.has('integer') ? [integer] : []),
    ...(types.has('number') ? [decimal] : []),
    ...(types.has('boolean') ? [boolean] : []),
  ];
  return (text) => {
    for (const read of readers) {
      const value = read(text);
      if (value !== undefined) return value;
    }
    return text;
  };
}

function integer(text: string): number | undefined {
  const value = integerText.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

function decimal(text: string): number | undefined {
  const value = numberText.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

function boolean(text: string): boolean | undefined {
  return booleanTexts.get(text);
}

function typesOf(schema: JsonSchema): Set<string> {
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const values = [...(schema.enum ?? []), ...('const' in schema ? [schema.const] : [])];
  const own = schema.type === undefined ? values.map(typeOf) : [schema.type].flat();
  return new Set([...own, ...parts.flatMap((part) => [...typesOf(part)])]);
}

function typeOf(value: unknown): string {
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}
