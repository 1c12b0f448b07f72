import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { bodySchema, type ContractOperation, formMediaType, jsonMediaType } from '../../server/contract/document.ts';
import { type Attempt, type Expectation, invalidParams, type Mutation } from './attempt.ts';
import { bodyOf, type RequestPlan, takesForm, takesList, toWireRequest } from './request-plan.ts';

const oneMebibyte = 2 ** 20;
const tooLarge: Expectation = { kind: 'refused', status: 413, code: 'rest_body_too_large' };
const badMediaType: Expectation = { kind: 'refused', status: 415, code: 'rest_unsupported_media_type' };
const badJson: Expectation = { kind: 'refused', status: 400, code: 'rest_invalid_json' };

/** Mutations of a body as a whole. */
export function bodyMutations(operation: ContractOperation): Mutation[] {
  if (!operation.requestBody) return [];
  const required = bodySchema(operation)?.required ?? [];
  return [
    notAnObject,
    notAnObject,
    malformed,
    malformed,
    huge,
    deep,
    mediaType,
    mediaType,
    encoding,
    encoding,
    ...(required.length > 0 ? [nothing(required)] : []),
  ];
}

interface SentBody {
  what: string;
  body: Buffer;
  mediaType: string | null;
  expected: Expectation;
  headers?: [string, string][];
}

/** The plan with another body. */
function withBody(plan: RequestPlan, { what, body, mediaType, expected, headers = [] }: SentBody): Attempt {
  const request = toWireRequest({ ...plan, hasBody: false });
  const type = mediaType === null ? [] : [['Content-Type', mediaType] as const];
  return { plan, what, request: { ...request, headers: [...request.headers, ...type, ...headers], body }, expected };
}

const bodyIn = (plan: RequestPlan): Buffer => bodyOf({ ...plan, encoding: { ...plan.encoding, isForm: false } }) ?? Buffer.from('{}');

const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));

const notAnObject: Mutation = (plan) =>
  fc
    .oneof(
      fc.constantFrom('[]', 'null', '0', '""', 'true', '[{}]', '-1e308'),
      fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
    )
    .filter((text) => !text.startsWith('{') && !(takesList(plan.operation) && isListOfObjects(JSON.parse(text))))
    .map((text) =>
      withBody(plan, { what: 'not an object', body: Buffer.from(text), mediaType: jsonMediaType, expected: invalidParams('body') }),
    );

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const malformed: Mutation = (plan) =>
  fc
    .oneof(
      fc.constantFrom(
        '{',
        ' ',
        '{"a":}',
        "{'a':1}",
        '{"a":1,}',
        '{a:1}',
        'NaN',
        '[1,]',
        '{}{}',
        '"\\x"',
        '01',
        '/**/{}',
        '{"a":"\n"}',
        '\ufeff,',
        '{"a":1e}',
      ),
      fc.nat().map((at) =>
        bodyIn(plan)
          .toString('utf8')
          .slice(0, at % bodyIn(plan).length),
      ),
      fc.string({ minLength: 1, maxLength: 30 }),
      fc.constant('['.repeat(64)),
    )
    .filter((text) => text !== '' && !isJson(text) && !isJson(text.replace(/^\ufeff/, '')))
    .map((text) => withBody(plan, { what: 'malformed JSON', body: Buffer.from(text), mediaType: jsonMediaType, expected: badJson }));

const huge: Mutation = (plan) =>
  fc.record({ more: fc.constantFrom(1, 100, oneMebibyte), isForm: fc.boolean() }).map(({ more, isForm }) => {
    const [head, tail] = isForm ? ['colour=', ''] : ['{"colour":"', '"}'];
    const body = Buffer.from(`${head}${'a'.repeat(oneMebibyte + more - head.length - tail.length)}${tail}`);
    const expected = isForm && !takesForm(plan.operation) ? badMediaType : tooLarge;
    return withBody(plan, { what: 'over one mebibyte', body, mediaType: isForm ? formMediaType : jsonMediaType, expected });
  });

/** More levels than a body may have are refused before it is parsed. */
const deep: Mutation = (plan) =>
  fc
    .constantFrom(65, 9000)
    .map((levels) => ({ what: 'too many levels', body: Buffer.from('['.repeat(levels)), mediaType: jsonMediaType, expected: tooLarge }))
    .map((body) => withBody(plan, body));

const strangeTypes = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/vnd.api+json',
  'application/jsonp',
  'json',
  '/',
  'a/b/c',
  'application/',
  'application/json+x',
  'application/octet-stream',
  'x'.repeat(5000),
  'text/json',
  'application /json',
  '; charset=utf-8',
  '\xff',
];

const mediaType: Mutation = (plan) =>
  fc
    .constantFrom(null, ...strangeTypes)
    .map((mediaType) => withBody(plan, { what: 'another media type', body: Buffer.from('{}'), mediaType, expected: badMediaType }));

/** Bodies that do not match their Content-Encoding. */
const encoding: Mutation = (plan) => {
  const bomb = gzipSync(Buffer.alloc(3 * oneMebibyte, 'a'));
  const cases: [encoding: string, body: Buffer, expected: Expectation][] = [
    ['gzip', Buffer.from('{}'), { kind: 'rejected' }],
    ['gzip', gzipSync('{"a":1}').subarray(0, 15), { kind: 'rejected' }],
    ['gzip', gzipSync('{'), badJson],
    ['gzip', bomb, tooLarge],
    ['deflate', Buffer.from([0xff, 0xff]), { kind: 'rejected' }],
    ['nope', Buffer.from('{}'), badMediaType],
    ['gzip, gzip', gzipSync(gzipSync('{}')), badMediaType],
  ];
  return fc.constantFrom(...cases).map(([encoding, body, expected]) => {
    const headers: [string, string][] = [['Content-Encoding', encoding]];
    return withBody(plan, { what: 'a strange encoding', body, mediaType: jsonMediaType, expected, headers });
  });
};

const nothing =
  (required: readonly string[]): Mutation =>
  (plan) =>
    fc.constantFrom('{}', '').map((text) => {
      const expected = invalidParams(...required);
      return withBody(plan, { what: 'an empty body', body: Buffer.from(text), mediaType: jsonMediaType, expected });
    });
