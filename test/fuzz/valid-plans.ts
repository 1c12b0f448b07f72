import fc from 'fast-check';
import type { Contract } from '../../server/contract/contract.ts';
import type { ContractOperation } from '../../server/contract/document.ts';
import type { Caller } from './callers.ts';
import { expectedRefusal } from './expected-refusal.ts';
import type { FuzzFixture, Records } from './fixture.ts';
import {
  type Encoding,
  type InputField,
  type InputValue,
  inputFieldsOf,
  type RequestPlan,
  takesForm,
  takesMap,
  valuesIn,
} from './request-plan.ts';
import { validHeader, validValue } from './valid-values.ts';

const encodings: fc.Arbitrary<Encoding> = fc.record({
  isForm: fc.boolean(),
  lists: fc.constantFrom('brackets', 'repeated', 'numbered'),
  percent: fc.constantFrom('as needed', 'as needed', 'everywhere'),
  booleans: fc.constantFrom(['true', 'false'] as const, ['1', '0'] as const),
  isHead: fc.nat(9).map((one) => one === 9),
  isChunked: fc.nat(4).map((one) => one === 4),
  isEscaped: fc.boolean(),
  mediaTypeSuffix: fc.constantFrom('', '', ';charset=utf-8', '; charset=UTF-8', '; x=y'),
});

const plainEncoding: Encoding = {
  isForm: false,
  lists: 'brackets',
  percent: 'as needed',
  booleans: ['true', 'false'],
  isHead: false,
  isChunked: false,
  isEscaped: false,
  mediaTypeSuffix: '',
};

const strangeNames = [
  'colour',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  '[]',
  'é',
  'a.b',
  'a[b][c]',
  '$where',
  'x'.repeat(300),
];
const strangeHeaders = [
  ['Accept', 'text/html'],
  ['Accept-Encoding', 'br, gzip'],
  ['Accept-Language', 'tlh'],
  ['Origin', 'https://evil.example'],
  ['Range', 'bytes=0-1'],
  ['X-Forwarded-For', '::1, unknown'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Host', 'a b'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Request-Id', '"}{'],
  ['X-Request-Id', 'order-58213'],
  ['If-None-Match', '*'],
  ['If-Modified-Since', 'never'],
  ['Expect', '100-continue'],
  ['Expect', 'miracles'],
  ['Upgrade', 'websocket'],
  ['Prefer', 'code=500'],
  ['TE', 'trailers'],
  ['X-Svc-CSRF-Other', 'x'],
  ['X-Empty', ''],
] as [string, string][];

const noise = (operation: ContractOperation): fc.Arbitrary<RequestPlan['noise']> => {
  // `page[a]` is no parameter.
  const names = [...strangeNames, ...operation.parameters.filter((one) => one.in === 'query').map(({ name }) => `${name}[a]`)];
  const few = { maxLength: 2 };
  const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('1', 'true', ''));
  return fc.record({
    query: fc.array(fc.tuple(fc.constantFrom(...names), value), few),
    fields: takesMap(operation)
      ? fc.constant([])
      : fc.array(fc.tuple(fc.constantFrom(...strangeNames), fc.oneof(value, fc.jsonValue({ maxDepth: 2 }))), few),
    headers: fc.array(fc.constantFrom(...strangeHeaders), few),
  });
};

/** Ids and words that match records of the fixture. */
function existingValues(
  { name, location, example }: InputField,
  { path }: ContractOperation,
  { records, receiverUrl }: FuzzFixture,
): unknown[] {
  const kind = path.split('/')[1] as keyof Records;
  if (name === 'delivery') return [example, 'dlv_1', 'dlv_2', 'dlv_3'];
  if (location === 'path') return records[kind] ?? [];
  if (name === 'user_id') return records.users;
  if (name === 'coupon_id') return records.coupons;
  if (name === 'url') return [receiverUrl, 'http://localhost:1/', ...acceptedUrls];
  if (name === 'details') return [example, {}, { holder: 'Ada', iban: 'DE89370400440532013000', town: 'Oslo', country: 'no' }];
  if (name === 'events') return [['*'], ['payout.paid', 'nothing'], example];
  return name === 'search' ? ['trail', 'TRAIL10', 'a'] : [example];
}

/** Hosts under .example, which the fixture resolves to this machine. */
export const acceptedUrls = ['https://a.example/', 'https://a.example:8443/x?y=z#part', 'https://münchen.example/ü', 'HTTPS://A.EXAMPLE'];

function inputAt(field: InputField, operation: ContractOperation, fixture: FuzzFixture): fc.Arbitrary<InputValue | null> {
  const value =
    field.location === 'header' ? validHeader(field.schema) : validValue(field.schema, existingValues(field, operation, fixture));
  const input = value.map((value): InputValue => ({ field, value }));
  return field.isRequired ? input : fc.option(input, { nil: null, freq: field.location === 'body' ? 3 : 1 });
}

/** Most often a caller with access, so that most requests reach the handler. */
function anyCaller(operation: ContractOperation, { callers }: FuzzFixture): fc.Arbitrary<Caller> {
  const admitted = callers.filter((caller) => expectedRefusal(operation, caller, new URLSearchParams()) === null);
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...admitted) }, { weight: 1, arbitrary: fc.constantFrom(...callers) });
}

/** Valid requests, by any caller. */
export function validPlans(contract: Contract, operation: ContractOperation, fixture: FuzzFixture): fc.Arbitrary<RequestPlan> {
  const values = fc.tuple(...inputFieldsOf(operation).map((field) => inputAt(field, operation, fixture)));
  const takesBody = operation.requestBody !== undefined;
  const plans = fc
    .record({
      caller: anyCaller(operation, fixture),
      values,
      encoding: fc.oneof(fc.constant(plainEncoding), encodings),
      noise: fc.oneof(fc.constant({ query: [], fields: [], headers: [] }), noise(operation)),
    })
    .map(({ values, encoding, ...rest }) => {
      const present = values.filter((one) => one !== null);
      // A form cannot encode an empty list.
      const isForm = encoding.isForm && takesForm(operation) && !present.some(({ value }) => Array.isArray(value) && value.length === 0);
      return { ...rest, operation, apiRoot: contract.apiRoot, values: present, encoding: { ...encoding, isForm }, hasBody: takesBody };
    });
  return plans.filter((plan) => !revokesCaller(plan, fixture));
}

function revokesCaller(plan: RequestPlan, { callerKeys: [first, last] }: FuzzFixture): boolean {
  const id = Number(valuesIn(plan, 'path')['id']);
  return plan.operation.operationId === 'delete_keys_id' && id >= first && id <= last;
}
