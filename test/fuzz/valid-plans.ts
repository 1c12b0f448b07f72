import fc from 'fast-check';
import type { Contract } from '../../server/contract/contract.ts';
import type { ContractOperation } from '../../server/contract/document.ts';
import type { Caller } from './callers.ts';
import { gateOf } from './gate.ts';
import { type Given, type Plan, type Spelling, type Spot, spotsOf, valuesIn } from './plan.ts';
import { validHeader, validValue } from './valid-values.ts';
import type { Records, World } from './world.ts';

const spelling: fc.Arbitrary<Spelling> = fc.record({
  isForm: fc.boolean(),
  lists: fc.constantFrom('brackets', 'repeated', 'numbered'),
  percent: fc.constantFrom('as needed', 'as needed', 'everywhere'),
  booleans: fc.constantFrom(['true', 'false'] as const, ['1', '0'] as const),
  isHead: fc.nat(9).map((one) => one === 9),
  isChunked: fc.nat(4).map((one) => one === 4),
  isEscaped: fc.boolean(),
  mediaTypeSuffix: fc.constantFrom('', '', ';charset=utf-8', '; charset=UTF-8', '; x=y'),
});

const plainly: Spelling = {
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
  ...[
    ['Accept', 'text/html'],
    ['Accept-Encoding', 'br, gzip'],
    ['Accept-Language', 'tlh'],
    ['Origin', 'https://evil.example'],
    ['Range', 'bytes=0-1'],
  ],
  ...[
    ['X-Forwarded-For', '::1, unknown'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Host', 'a b'],
    ['X-HTTP-Method-Override', 'DELETE'],
  ],
  ...[
    ['X-Request-Id', '"}{'],
    ['X-Request-Id', 'order-58213'],
    ['If-None-Match', '*'],
    ['If-Modified-Since', 'never'],
    ['Expect', '100-continue'],
  ],
  ...[
    ['Expect', 'miracles'],
    ['Upgrade', 'websocket'],
    ['Prefer', 'code=500'],
    ['TE', 'trailers'],
    ['X-Svc-CSRF-Other', 'x'],
    ['X-Empty', ''],
  ],
] as [string, string][];

const noise = (operation: ContractOperation): fc.Arbitrary<Plan['noise']> => {
  // `page[a]` is the name of no parameter.
  const names = [...strangeNames, ...operation.parameters.filter((one) => one.in === 'query').map(({ name }) => `${name}[a]`)];
  const few = { maxLength: 2 };
  const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('1', 'true', ''));
  return fc.record({
    query: fc.array(fc.tuple(fc.constantFrom(...names), value), few),
    fields: fc.array(fc.tuple(fc.constantFrom(...strangeNames), fc.oneof(value, fc.jsonValue({ maxDepth: 2 }))), few),
    headers: fc.array(fc.constantFrom(...strangeHeaders), few),
  });
};

/** Ids and words that lead somewhere in this world. */
function knownFor({ name, place, example }: Spot, { path }: ContractOperation, { records, receiverUrl }: World): unknown[] {
  const kind = path.split('/')[1] as keyof Records;
  if (place === 'path') return records[kind] ?? [];
  if (name === 'user_id') return records.users;
  if (name === 'coupon_id') return records.coupons;
  if (name === 'url') return [receiverUrl, 'http://localhost:1/', ...soundUrls];
  if (name === 'events') return [['*'], ['payout.paid', 'nothing'], example];
  return name === 'search' ? ['trail', 'TRAIL10', 'a'] : [example];
}

/** Names of nobody: whatever is sent there ends on this machine. */
export const soundUrls = ['https://a.example/', 'https://a.example:8443/x?y=z#part', 'https://münchen.example/ü', 'HTTPS://A.EXAMPLE'];

function givenAt(spot: Spot, operation: ContractOperation, world: World): fc.Arbitrary<Given | null> {
  const value = spot.place === 'header' ? validHeader(spot.schema) : validValue(spot.schema, knownFor(spot, operation, world));
  const given = value.map((value): Given => ({ spot, value }));
  return spot.isRequired ? given : fc.option(given, { nil: null, freq: spot.place === 'body' ? 3 : 1 });
}

/** Most often somebody who is let in, so that most requests go deep. */
function anyCaller(operation: ContractOperation, { callers }: World): fc.Arbitrary<Caller> {
  const welcome = callers.filter((caller) => gateOf(operation, caller, new URLSearchParams()) === null);
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...welcome) }, { weight: 1, arbitrary: fc.constantFrom(...callers) });
}

/** Requests that are right in everything but, perhaps, who sends them. */
export function validPlans(contract: Contract, operation: ContractOperation, world: World): fc.Arbitrary<Plan> {
  const given = fc.tuple(...spotsOf(operation).map((spot) => givenAt(spot, operation, world)));
  const takesBody = operation.requestBody !== undefined;
  const plans = fc
    .record({
      caller: anyCaller(operation, world),
      given,
      spelling: fc.oneof(fc.constant(plainly), spelling),
      noise: fc.oneof(fc.constant({ query: [], fields: [], headers: [] }), noise(operation)),
    })
    .map(({ given, spelling, ...rest }) => {
      const stated = given.filter((one) => one !== null);
      // A form cannot say that a list is empty.
      const isForm = spelling.isForm && !stated.some(({ value }) => Array.isArray(value) && value.length === 0);
      return { ...rest, operation, apiRoot: contract.apiRoot, given: stated, spelling: { ...spelling, isForm }, hasBody: takesBody };
    });
  return plans.filter((plan) => !revokesCaller(plan, world));
}

function revokesCaller(plan: Plan, { callerKeys: [first, last] }: World): boolean {
  const id = Number(valuesIn(plan, 'path')['id']);
  return plan.operation.operationId === 'delete_keys_id' && id >= first && id <= last;
}
