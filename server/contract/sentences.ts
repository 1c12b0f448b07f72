import type { ErrorObject } from 'ajv';
import type { JsonSchema } from './document.ts';

type Wording = (schema: JsonSchema, error: ErrorObject) => string;

const formatSentences: Readonly<Record<string, string>> = {
  'calendar-day': 'must be a day that exists, written YYYY-MM-DD',
};

const typeNames: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  string: 'a string',
  array: 'a list',
  object: 'an object',
};

const wordings: Readonly<Record<string, Wording>> = {
  type: (schema) =>
    `must be ${[schema.type ?? []]
      .flat()
      .map((type) => typeNames[type] ?? type)
      .join(' or ')}`,
  enum: (schema) => `must be one of ${(schema.enum ?? []).map(String).join(', ')}`,
  minimum: numberRange,
  maximum: numberRange,
  minLength: lengthRange,
  maxLength: lengthRange,
  minItems: sizeRange,
  maxItems: sizeRange,
  format: form,
  pattern: form,
};

/** Ajv's verdict as the end of a sentence: "must be between 1 and 100". */
export function wordsFor(error: ErrorObject): string {
  const wording = wordings[error.keyword];
  return wording?.((error.parentSchema ?? {}) as JsonSchema, error) ?? error.message ?? 'is not valid';
}

/** A pattern beside a format says the same to a machine; people read the format's sentence. */
function form({ format = '' }: JsonSchema): string {
  return formatSentences[format] ?? 'is not in the expected form';
}

/** A bound that a machine sets, not the program, would only puzzle the reader who sent a 0. */
function numberRange({ minimum, maximum }: JsonSchema, { keyword }: ErrorObject): string {
  const technical = keyword === 'minimum' && maximum !== undefined && maximum >= 2 ** 31 - 1;
  return `must be ${range(minimum, technical ? undefined : maximum)}`;
}

function lengthRange({ minLength, maxLength }: JsonSchema): string {
  return `must be ${range(minLength, maxLength)} characters long`;
}

function sizeRange({ minItems, maxItems }: JsonSchema): string {
  return `must have ${range(minItems, maxItems)} entries`;
}

function range(low: number | undefined, high: number | undefined): string {
  if (low === undefined) return `at most ${high}`;
  return high === undefined ? `at least ${low}` : `between ${low} and ${high}`;
}
