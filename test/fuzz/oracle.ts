import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../server/contract/document.ts';

// Decides what is valid without any code of the service: the schema by Ajv, and the few rules about text that the decisions add.

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = (/^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? []).slice(1).map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return year > 0 && day > 0 && day <= (month === 2 && isLeap ? 29 : (lengths[month - 1] ?? 0));
}

const isLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);
const isWebsite = (text: string): boolean => text.trim() === text && isLine(text) && (!text.includes(':') || /^https?:\/\/./i.test(text));

const formats = { 'calendar-day': isDay, 'single-line': isLine, website: isWebsite };
const ajv = new Ajv2020({ strict: false, logger: false, formats });
const compiled = new Map<JsonSchema, ValidateFunction>();

/** Whether the schema allows the value, and both databases return it unchanged. */
export function isValid(schema: JsonSchema, value: unknown): boolean {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  // Decision: spaces around a name are removed.
  const read = schema.format === 'single-line' && typeof value === 'string' ? value.trim() : value;
  return validate(read) && isStorable(read);
}

/** Decision: text with NUL or a lone surrogate is rejected on both engines. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
  return !Array.isArray(value) || value.every(isStorable);
}

const booleans: Record<string, boolean> = { true: true, false: false, 1: true, 0: false };

/** The value of a text in a path, a query or a form. Undefined where it has none of this type. */
function valueOfText(schema: JsonSchema, text: string): unknown {
  if (schema.type === 'integer') return /^(0|-?[1-9][0-9]*)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
  if (schema.type === 'number')
    return /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (schema.type === 'boolean') return Object.hasOwn(booleans, text) ? booleans[text] : undefined;
  return text;
}

/** Whether the text encodes a value of the schema. With `isCommaList` the text holds all entries of a list. */
export function isValidText(schema: JsonSchema, text: string, isCommaList: boolean): boolean {
  if (schema.type !== 'array') return isValid(schema, valueOfText(schema, text));
  const entries = isCommaList ? text.split(',') : [text];
  return isValid(
    schema,
    entries.map((entry) => valueOfText(schema.items ?? {}, entry)),
  );
}
