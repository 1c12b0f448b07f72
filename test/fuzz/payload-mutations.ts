import type { Random } from '../support/random.ts';

type Json = unknown;
type Container = Record<string, Json> | Json[];

const isContainer = (value: Json): value is Container => typeof value === 'object' && value !== null;

/** Values that a platform does not send, in the place of any other. */
const odd: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e21,
  1e300,
  2 ** 53,
  -0,
  Number.MIN_VALUE,
  '',
  ' ',
  'x',
  '-',
  '1e5',
  '0x10',
  '１２',
  '1,5',
  '-0.00',
  '99999999999999999',
  '0.00000000000000000001',
  'NaN',
  'Infinity',
  '\0',
  '\uD800',
  '\uDFFF x',
  'ＦＩＲＳＴ10',
  'e\u0301\u200B\u202E',
  '💶'.repeat(60),
  'x'.repeat(5000),
  "'; drop table orders; --",
  '2026-02-30T00:00:00',
  '0000-00-00T00:00:00',
  '9999-12-31T23:59:59',
  '2026-10-05T14:31:07+99:99',
  '2026-10-05',
  [],
  {},
  [null],
  [[]],
  [[[[{}]]]],
  [{ id: {} }],
  { length: 3 },
  { a: { b: [1] } },
  { toString: 'x' },
];

/** Not within records of people, which nothing reads. */
function listPlaces(value: Json): { container: Container; key: string }[] {
  if (!isContainer(value) || Object.hasOwn(value, 'email')) return [];
  return Object.keys(value).flatMap((key) => [{ container: value, key }, ...listPlaces((value as Record<string, Json>)[key])]);
}

/** A copy of the payload for each value in it, with `value` in its place. */
export function placeEverywhere(payload: object, value: Json): object[] {
  return listPlaces(payload).map((_, index) => {
    const copy = structuredClone(payload);
    const { container, key } = listPlaces(copy)[index] as { container: Container; key: string };
    (container as Record<string, Json>)[key] = value;
    return copy;
  });
}

/** Changes some values of the payload, of any depth. `extra` are further values to put somewhere. */
export function mutatePayload(payload: object, extra: readonly Json[], random: Random): object {
  const mutated = structuredClone(payload);
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const places = listPlaces(mutated);
    if (places.length === 0) break;
    const { container, key } = random.pick(places);
    const fields = container as Record<string, Json>;
    const value = fields[key];
    const changes: (() => void)[] = [
      () => void (fields[key] = structuredClone(random.pick(odd))),
      () => void (fields[key] = structuredClone(random.pick(odd))),
      () => void (fields[key] = structuredClone(random.pick(extra))),
      () => void (Array.isArray(container) ? container.splice(Number(key), 1) : delete fields[key]),
      () => void (fields[key] = [structuredClone(value)]),
      () => void (fields[key] = Array.isArray(value) ? [...value, ...structuredClone(value)] : JSON.stringify(value)),
      () => void (fields[key] = typeof value === 'string' ? Number(value) : `${JSON.stringify(value)}0`),
    ];
    random.pick(changes)();
  }
  return mutated;
}

/** Changes the text: duplicate keys, broken JSON, numbers and bytes that JSON.stringify never writes. */
export function mutateText(text: string, random: Random): Buffer {
  const at = random.below(text.length);
  const changed: (() => string | Buffer)[] = [
    () => text.replace('{', '{"id":1,"currency":"USD","status":null,"refunds":[],'),
    () => text.replace(/}$/, ',"id":31337,"line_items":null}'),
    () => text.replace('{', '{"__proto__":{"test":true,"id":7},"constructor":null,'),
    () => text.slice(0, at),
    () => `\uFEFF${text}`,
    () => `${text}\n${text}`,
    () => text.replace(/:\d+/, ':1e400'),
    () => text.replace(/"\d+\.\d+"/, '1.0000000000000000000000001'),
    () => text.replace(/"id":\d+/, `"id":${'9'.repeat(400)}`),
    () => text.replace(/:"/, ':"\\ud83d'),
    () => `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    () => Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from(text.slice(at))]),
    () => '',
    () => 'null',
  ];
  return Buffer.from(random.pick(changed)());
}

/** Signatures that are not that of the body. */
export const mutateSignature = (signature: string, random: Random): string => {
  const at = random.below(signature.length);
  const other = signature[at] === 'A' ? 'B' : 'A';
  return random.pick([
    signature.slice(0, at) + other + signature.slice(at + 1),
    signature.slice(0, -1),
    `${signature}=`,
    `${signature}, ${signature}`,
    Buffer.from(signature, 'base64').toString('hex'),
    `sha256=${signature}`,
    signature.slice(0, at),
    'A'.repeat(44),
    '\u00FF'.repeat(44),
  ]);
};
