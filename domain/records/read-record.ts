import { type RecordKind, recordSchemas } from '../../generated/records.ts';
import { normalizeText, type StoreLocale, textFormats, valueFormats } from './formats.ts';
import { nearest } from './nearest.ts';

export type { RecordKind };

/** The keywords of JSON Schema that records use; scripts/generate/records.ts refuses others. */
export interface FieldSchema {
  readonly type: 'string' | 'integer' | 'number' | 'object' | 'array';
  /** Null is a value of its own: none. */
  readonly nullable?: boolean;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: FieldSchema;
  readonly properties?: FieldSchemas;
  readonly additionalProperties?: boolean;
  readonly description?: string;
  readonly default?: unknown;
}
export type FieldSchemas = Readonly<Record<string, FieldSchema>>;
export type RawRecord = Readonly<Record<string, unknown>>;

/** `file`: a line of an import, which may have the fields of `x-import-only`, too. `api`: an item of a `POST /store/…` body. */
export type RecordOrigin = 'file' | 'api';

export interface ReadOptions {
  locale: StoreLocale;
  origin: RecordOrigin;
}

/** The message has a sentence for each problem of the record. */
export class RecordError extends Error {}

type Value<Schema> = (Schema extends { nullable: true } ? null : never) | ValueOfType<Schema>;
type ValueOfType<Schema> = Schema extends { enum: readonly (infer Option)[] }
  ? Option
  : Schema extends { format: 'moment' } | { type: 'integer' | 'number' }
    ? number
    : Schema extends { type: 'string' }
      ? string
      : Schema extends { items: infer Items }
        ? Value<Items>[]
        : Schema extends { properties: infer Properties }
          ? { [Name in keyof Properties]?: Value<Properties[Name]> }
          : Record<string, unknown>;

type Schemas<Kind extends RecordKind> = (typeof recordSchemas)[Kind];
type Fields<Kind extends RecordKind> = Omit<Schemas<Kind>['fields'], keyof Schemas<Kind>['importOnly']> & Schemas<Kind>['importOnly'];
type Required<Kind extends RecordKind> = Schemas<Kind>['required'][number];
/** Amounts in minor units, percentages in thousandths, dates in milliseconds. */
export type RecordValues<Kind extends RecordKind> = {
  [Name in keyof Fields<Kind>]: Value<Fields<Kind>[Name]> | (Name extends Required<Kind> ? never : undefined);
};

/** The fields of a kind by their name. */
export const fieldsOf = (kind: RecordKind, origin: RecordOrigin): FieldSchemas => fieldTables[origin][kind];

const kinds = Object.keys(recordSchemas) as RecordKind[];
const tableOf = (fields: (kind: RecordKind) => FieldSchemas) =>
  Object.fromEntries(kinds.map((kind) => [kind, fields(kind)])) as Record<RecordKind, FieldSchemas>;
const fieldTables: Record<RecordOrigin, Record<RecordKind, FieldSchemas>> = {
  api: tableOf((kind) => recordSchemas[kind].fields),
  file: tableOf((kind) => ({ ...recordSchemas[kind].fields, ...recordSchemas[kind].importOnly })),
};

export const isRequired = (kind: RecordKind, name: string): boolean => (recordSchemas[kind].required as readonly string[]).includes(name);

/** Bounds the message: a record may have any number of unknown fields. */
const maxProblems = 20;

/** Only the first problems suggest another name: finding it takes far longer than reading the field. */
const maxSuggestions = 3;

/** `amended` replaces schemas of the contract where another field decides. @throws RecordError that names every problem. */
export function readRecord<Kind extends RecordKind>(
  kind: Kind,
  raw: RawRecord,
  { locale, origin }: ReadOptions,
  amended: FieldSchemas = {},
): RecordValues<Kind> {
  const fields = fieldsOf(kind, origin);
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const name in fields) {
    const value = normalizeText(fields[name]?.format, raw[name]);
    // An empty CSV cell is an absent value. JSON follows the same rule, except for null where the contract allows it.
    if (value === null && fields[name]?.nullable) values[name] = null;
    else if (value !== undefined && value !== null && value !== '')
      values[name] = readValue(name, amended[name] ?? (fields[name] as FieldSchema), value, { locale, problems });
    else if (isRequired(kind, name)) problems.push(`${name} is missing.`);
  }
  for (const name of Object.keys(raw)) {
    if (problems.length > maxProblems) break;
    if (Object.hasOwn(fields, name)) continue;
    const isForFiles = Object.hasOwn(recordSchemas[kind].importOnly, name);
    problems.push(isForFiles ? `${name} is for affiliate import only.` : describeFurther(problems, kind, name, fields, raw[name]));
  }
  if (problems.length > 0) throw new RecordError(problems.slice(0, maxProblems).join(' '));
  return values as RecordValues<Kind>;
}

/** Names the closest fields, of the type of the value if there is one; all of them if none is close. */
export function describeUnknown(owner: string, name: string, fields: FieldSchemas, value?: unknown): string {
  const names = Object.keys(fields);
  const fitting = names.filter((known) => jsonTypes[fields[known]?.type ?? 'string'] === jsonTypeOf(value));
  const suggested = nearest(name, fitting.length > 0 ? fitting : names, { separator: '_', count: value === undefined ? 2 : 1 });
  const advice = suggested.length > 0 ? `Did you mean ${suggested.join(' or ')}?` : `Its fields are ${names.join(', ')}.`;
  return `${owner} has no field ${shorten(name)}. ${advice}`;
}

const describeFurther = (problems: readonly string[], owner: string, name: string, fields: FieldSchemas, value: unknown): string =>
  problems.length < maxSuggestions ? describeUnknown(owner, name, fields, value) : `${owner} has no field ${shorten(name)}.`;

const jsonTypes = { string: 'string', integer: 'number', number: 'number', object: 'object', array: 'array' };
const jsonTypeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
const shorten = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name);

interface ReadState {
  locale: StoreLocale;
  problems: string[];
}

/** Returns the value as the domain has it. Adds what is wrong to the problems. */
function readValue(name: string, schema: FieldSchema, value: unknown, state: ReadState): unknown {
  const format = valueFormats[schema.format ?? ''];
  if (format) {
    const read = format.read(value, state.locale);
    if (read === null || isBeyond(schema, value)) state.problems.push(`${name} ${format.problem(state.locale)}.`);
    return read;
  }
  const problem = problemOf(schema, value);
  if (problem !== null) state.problems.push(`${name} ${problem}.`);
  else if (schema.items)
    return (value as unknown[]).map((item, at) => readValue(`${name}[${at}]`, schema.items as FieldSchema, item, state));
  else if (schema.properties) return readProperties(name, schema.properties, value as RawRecord, state);
  return value;
}

const isBeyond = ({ maximum = Infinity, maxLength = Infinity }: FieldSchema, value: unknown): boolean =>
  typeof value === 'number' ? value > maximum : String(value).length > maxLength;

/** A property that is null counts as left out. */
function readProperties(name: string, properties: FieldSchemas, value: RawRecord, state: ReadState): RawRecord {
  for (const part of Object.keys(value)) {
    const schema = Object.hasOwn(properties, part) ? properties[part] : undefined;
    if (schema && value[part] === null) continue;
    if (schema) readValue(`${name}.${part}`, schema, value[part], state);
    else if (state.problems.length < maxProblems) state.problems.push(describeFurther(state.problems, name, part, properties, value[part]));
  }
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null));
}

/** Completes a sentence that begins with the name of the field. */
function problemOf(schema: FieldSchema, value: unknown): string | null {
  switch (schema.type) {
    case 'string':
      return textProblem(schema, value);
    case 'array':
      return Array.isArray(value) && value.length <= (schema.maxItems ?? 0)
        ? null
        : `must be a JSON array of at most ${schema.maxItems} texts`;
    case 'object':
      return objectProblem(value);
    default:
      return numberProblem(schema, value);
  }
}

/** NUL and unpaired surrogates, which not every database can store. */
const unstorable = /[\0\p{Surrogate}]/u;

function textProblem({ enum: options, format, maxLength = Infinity }: FieldSchema, value: unknown): string | null {
  if (options) return options.includes(value as string) ? null : `must be one of ${options.join(', ')}`;
  if (typeof value !== 'string') return 'must be text';
  // JSON Schema counts characters, which are never more than the units that JavaScript counts.
  if (value.length > maxLength && [...value].length > maxLength) return `must be at most ${maxLength} characters`;
  if (unstorable.test(value)) return 'contains characters that cannot be stored';
  const rule = textFormats[format ?? ''];
  return rule && !rule.isValid(value) ? rule.problem : null;
}

function numberProblem({ type, minimum = 0, maximum = 0 }: FieldSchema, value: unknown): string | null {
  const isNumber = type === 'integer' ? Number.isSafeInteger(value) : typeof value === 'number';
  if (isNumber && (value as number) >= minimum && (value as number) <= maximum) return null;
  return `must be a ${type === 'integer' ? 'whole number' : 'number'} from ${minimum} to ${maximum}`;
}

const maxObjectLength = 50_000;
const maxDepth = 100;

function objectProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object';
  // First, because serializing what is nested deeper would overflow the stack.
  if (isDeeper(value, maxDepth)) return `must not be nested more than ${maxDepth} times`;
  const isLong = JSON.stringify(value).length > maxObjectLength;
  return isLong ? `must not be longer than ${maxObjectLength} characters as JSON` : null;
}

function isDeeper(value: object, depth: number): boolean {
  let level: unknown[] = [value];
  for (let left = depth; left > 0 && level.length > 0; left -= 1)
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
  return level.length > 0;
}
