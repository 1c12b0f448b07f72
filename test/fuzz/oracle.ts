import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../server/contract/document.ts';

// What is valid, decided without a line of the service's own reading and validating: the schema by Ajv, and the few rules of text that the
// decisions add to it.

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = (/^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? []).slice(1).map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return year > 0 && day > 0 && day <= (month === 2 && isLeap ? 29 : (lengths[month - 1] ?? 0));
}

const ajv = new Ajv2020({ strict: false, logger: false, formats: { 'calendar-day': isDay } });
const compiled = new Map<JsonSchema, ValidateFunction>();

/** Whether the schema allows the value, and a database could give it back as it was sent. */
export function isValid(schema: JsonSchema, value: unknown): boolean {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) && isKeepable(value);
}

/** Decision: text with a NUL or half a character in it is refused, whichever engine is behind. */
function isKeepable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
  return !Array.isArray(value) || value.every(isKeepable);
}

const booleans: Record<string, boolean> = { true: true, false: false, 1: true, 0: false };

/** Decision 1: what a text in a path, a query or a form means. Undefined where it means nothing of this type. */
function meaningOf(schema: JsonSchema, text: string): unknown {
  if (schema.type === 'integer') return /^(0|-?[1-9][0-9]*)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
  if (schema.type === 'boolean') return Object.hasOwn(booleans, text) ? booleans[text] : undefined;
  return text;
}

/** Whether the text may stand for a value of the schema. A list has all its entries in one text where a comma parts them. */
export function isValidText(schema: JsonSchema, text: string, isCommaList: boolean): boolean {
  if (schema.type !== 'array') return isValid(schema, meaningOf(schema, text));
  const entries = isCommaList ? text.split(',') : [text];
  return isValid(
    schema,
    entries.map((entry) => meaningOf(schema.items ?? {}, entry)),
  );
}
