import fc from 'fast-check';
import type { JsonSchema } from '../../server/contract/document.ts';
import { isValid } from './oracle.ts';

/** Texts that often break programs: wildcards, quotes, bidirectional marks, joined emoji, letters whose length changes with their case. */
const riskyTexts = [
  '%',
  '_',
  '\\',
  "'",
  '"',
  "' or 1=1 --",
  '%00',
  '${jndi:x}',
  '<b>',
  '&amp;',
  '\u2028',
  '\u200d',
  '\ufeff',
  '\ufffd',
  '\u202e',
  'İ',
  'ß',
  'ﬁ',
  'é',
  'e\u0301',
  '👩‍👩‍👧',
  '𐐀',
  '\u{10ffff}',
  '\t',
  '\r\n',
  ' ',
  '+',
  '#',
  '?',
  '/',
  ';',
  'null',
  'true',
  '0',
  '*',
  'a,b',
];

function text(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
  const longest = schema.maxLength ?? 100;
  const shortest = schema.minLength ?? 0;
  const whole = fc.constantFrom('a', 'é', '😀', '%', '"').map((character) => character.repeat(longest));
  const any = fc.string({ unit: 'binary', minLength: shortest, maxLength: Math.min(longest, 40) });
  return fc.oneof({ weight: 3, arbitrary: any }, { weight: 3, arbitrary: fc.constantFrom(...riskyTexts) }, { weight: 1, arbitrary: whole });
}

const twoDigits = (most: number): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max: most }).map((number) => String(number).padStart(2, '0'));

const day: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('2025', '2026'), twoDigits(12), twoDigits(31)).map((parts) => parts.join('-')) },
  { weight: 1, arbitrary: fc.tuple(fc.integer({ min: 1000, max: 9999 }), twoDigits(12), twoDigits(31)).map((parts) => parts.join('-')) },
  { weight: 1, arbitrary: fc.constantFrom('0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '1969-12-31', '2026-03-29') },
);

function integer({ minimum = -(2 ** 31), maximum = 2 ** 31 }: JsonSchema): fc.Arbitrary<number> {
  const small = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 200) });
  const bounds = fc.constantFrom(minimum, minimum + 1, maximum - 1, maximum);
  return fc.oneof({ weight: 3, arbitrary: small }, { weight: 1, arbitrary: bounds }, fc.integer({ min: minimum, max: maximum }));
}

/** With at most two decimals, as most currencies have. */
const amount = ({ minimum = -1000, maximum = 1000 }: JsonSchema): fc.Arbitrary<number> =>
  fc.integer({ min: Math.max(minimum, -1000) * 100, max: Math.min(maximum, 1000) * 100 }).map((hundredths) => hundredths / 100);

function list({ items = {}, minItems = 0, maxItems = 10 }: JsonSchema): fc.Arbitrary<unknown[]> {
  return fc.array(shaped(items), { minLength: minItems, maxLength: Math.min(maxItems, 12) });
}

function shaped(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return integer(schema);
  if (schema.type === 'number') return amount(schema);
  if (schema.type === 'array') return list(schema);
  if (schema.type === 'object') return fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  return schema.format === 'calendar-day' ? day : text(schema);
}

/** A value that the schema allows, most often one of `preferred`. */
export function validValue(schema: JsonSchema, preferred: readonly unknown[]): fc.Arbitrary<unknown> {
  const fitting = preferred.filter((value) => isValid(schema, value));
  const any = shaped(schema).filter((value) => isValid(schema, value));
  return fitting.length === 0 ? any : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: any });
}

const visible = fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map(asHeaderCharacter), minLength: 1, maxLength: 255 });

/** DEL is a control character; every other character above the space is allowed in a header. */
function asHeaderCharacter(code: number): string {
  return String.fromCharCode(code === 0x7f ? 0x7e : code);
}

export const validHeader = (schema: JsonSchema): fc.Arbitrary<unknown> => visible.filter((value) => isValid(schema, value));
