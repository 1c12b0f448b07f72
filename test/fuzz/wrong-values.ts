import fc from 'fast-check';
import type { JsonSchema } from '../../server/contract/document.ts';
import { isValid, isValidText } from './oracle.ts';

const wrongTexts = [
  '',
  ' ',
  'abc',
  '0',
  '-1',
  '-0',
  '01',
  '1.0',
  '1.5',
  '1e3',
  '0x10',
  ' 1',
  '1 ',
  '+1',
  '1_000',
  '٣',
  '９',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  'TRUE',
  'yes',
  'on',
  '2',
  '101',
  '2147483648',
  '9007199254740992',
  '-9007199254740992',
  '9'.repeat(400),
  '1,2',
  '[]',
  '{}',
  '[object Object]',
  '2026-02-30',
  '2026-00-10',
  '2026-13-01',
  '0000-01-01',
  '2026-1-1',
  '26-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01\n',
  ' 2026-01-01',
  '٢٠٢٦-٠١-٠١',
  '+002026-01-01',
  '99999-01-01',
  '2026/01/01',
  'today',
  'asc ',
  'ASC',
  'referral,',
  ',',
  'day,',
  'publish\0',
  'paid\0',
  '\0',
  '..',
  '.',
  '%',
  '%00',
  'é',
  '😀',
  '../1',
  '1/../2',
  '1;2',
  "1'",
  '1--',
  Array(51).fill('referral').join(),
  ...[101, 201, 256, 2001, 5001].flatMap((length) => ['a'.repeat(length), '😀'.repeat(length)]),
];

const wrongJson: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  -0,
  1.5,
  1e20,
  1e308,
  2 ** 53,
  -(2 ** 53),
  '',
  '1',
  '0',
  'abc',
  'true',
  'null',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  [],
  [[]],
  [null],
  [1],
  ['read', 1],
  ['read', null],
  ['read', ['write']],
  ['nothing'],
  ['\0'],
  ['\ud800'],
  Array(4).fill('read'),
  Array(1001).fill('x'),
  {},
  { a: 1 },
  { toString: 'x' },
  { length: 1, 0: 'read' },
  { $gt: '' },
  '2026-02-30',
  '2026-1-1',
  '0000-01-01',
  'Accepted',
  'accepted ',
  'PAID',
  'a'.repeat(101),
  'a'.repeat(201),
  '😀'.repeat(101),
  '😀'.repeat(201),
  'é'.repeat(2001),
  'a'.repeat(5001),
  ['a'.repeat(1001)],
];

/** Texts that the schema does not allow in a path, a query or a form. Undefined where it allows everything. */
export function wrongText(
  schema: JsonSchema,
  isCommaList: boolean,
  isPossible: (text: string) => boolean,
): fc.Arbitrary<string> | undefined {
  const isWrong = (text: string): boolean => isPossible(text) && !isValidText(schema, text, isCommaList);
  const found = [...wrongTexts, ...nearMisses(schema)].filter(isWrong);
  if (found.length === 0) return undefined;
  const some = fc.constantFrom(...found);
  const isFree = schema.type === 'string' && schema.enum === undefined;
  return isFree
    ? some
    : fc.oneof({ weight: 3, arbitrary: some }, fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter(isWrong));
}

function nearMisses({ enum: values = [], minimum, maximum }: JsonSchema): string[] {
  const words = values.map(String).flatMap((word) => [`${word} `, ` ${word}`, word.toUpperCase(), word.slice(1), `${word},${word}`]);
  const bounds = [...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1])];
  return [...words, ...bounds.map(String)];
}

/** Values that the schema does not allow in JSON. */
export function wrongValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const isWrong = (value: unknown): boolean => !isValid(schema, value);
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...wrongJson.filter(isWrong)) }, fc.jsonValue({ maxDepth: 3 }).filter(isWrong));
}
