import fc from 'fast-check';
import type { Contract } from '../../server/contract/contract.ts';
import type { ContractOperation } from '../../server/contract/document.ts';
import type { Attempt, Mutation } from './attempt.ts';
import { type RequestPlan, toWireRequest } from './request-plan.ts';

/** Requests to no operation, and bytes that are no request. */
export function wireMutations(contract: Contract, operation: ContractOperation): Mutation[] {
  return [otherMethod(contract, operation), otherPath(contract), unreadable];
}

const noRoute = (plan: RequestPlan, what: string, change: Partial<Attempt['request']>): Attempt => ({
  plan,
  what,
  request: { ...toWireRequest({ ...plan, hasBody: false }), ...change },
  expected: { kind: 'no route' },
});

const methods = ['PUT', 'OPTIONS', 'TRACE', 'GET', 'POST', 'PATCH', 'DELETE', 'PROPFIND', 'SEARCH', 'PURGE'];

function otherMethod(contract: Contract, operation: ContractOperation): Mutation {
  const path = `${contract.apiRoot}${operation.path.replace(/\{\w+\}/, '1')}`;
  const others = methods.filter(
    (method) => !contract.operations.some((one) => pathMatches(contract, one, path) && one.method.toUpperCase() === method),
  );
  return (plan) => fc.constantFrom(...others).map((method) => noRoute(plan, 'another method', { method }));
}

/** By the templates of the contract, not by the router of the service. */
function pathMatches(contract: Contract, { path: template }: ContractOperation, path: string): boolean {
  return new RegExp(`^${contract.apiRoot}${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

const unknownPaths = [
  '/nothing',
  '/coupons/1/nothing',
  '/coupons/%E0%A4%A',
  '/coupons/%',
  '/keys/%ff',
  '//coupons',
  '/coupons//stats',
  '/me/1',
  '/%6De',
  '/ME',
  '/../v2',
  '/openapi.json',
  '/webhooks/1/test/2',
  '/me%2F',
  '/coupons/1/stats%3F',
  '/me;a=b',
  '/__proto__',
  '/constructor',
  '/coupons/1/2/3/4',
];

const otherPath =
  ({ apiRoot }: Contract): Mutation =>
  (plan) =>
    fc.oneof(
      fc.constantFrom(...unknownPaths).map((path) => noRoute(plan, 'another path', { method: 'GET', target: `${apiRoot}${path}` })),
      fc
        .constantFrom('/api', '/api/', '/api/v1/me', '/api/v2', '/api/v2/', '/api/v22/me', '*')
        .map((target) => noRoute(plan, 'another path', { method: 'GET', target })),
      fc.nat(14_000).map((length) => noRoute(plan, 'a long path', { method: 'GET', target: `${apiRoot}/x${'a'.repeat(length)}` })),
    );

const unreadable: Mutation = (plan) => {
  const { method, target } = toWireRequest({ ...plan, hasBody: false });
  const line = `${method} ${target} HTTP/1.1\r\n`;
  const rest = `Host: x\r\n${plan.caller.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`;
  const end = 'Connection: close\r\n\r\n';
  const raws = [
    `${line}${end}`,
    `${method} ${target} HTTP/9.9\r\n${rest}${end}`,
    `${method} ${target}\r\n\r\n`,
    `NONSENSE ${target} HTTP/1.1\r\n${rest}${end}`,
    `CONNECT ${target} HTTP/1.1\r\n${rest}${end}`,
    `CONNECT shop.example:443 HTTP/1.1\r\n${rest}${end}`,
    `${method} ${target} x HTTP/1.1\r\n${rest}${end}`,
    `${method} ${target}\xe9 HTTP/1.1\r\n${rest}${end}`,
    `${line}${rest}X-A: a\0b\r\n${end}`,
    `${line}${rest}X-A : b\r\n${end}`,
    `${line}${rest}no colon\r\n${end}`,
    `${line}${rest}X A: b\r\n${end}`,
    `${line}${rest}X-A: ${'a'.repeat(20_000)}\r\n${end}`,
    `${line}${rest}Content-Length: -1\r\n${end}`,
    `${line}${rest}Content-Length: 1\r\nContent-Length: 2\r\n${end}ab`,
    `${line}${rest}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n${end}0\r\n\r\n`,
    `${line}${rest}Transfer-Encoding: gzip, chunked, gzip\r\n${end}`,
    `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${'\0'.repeat(40)}`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ];
  return fc.constantFrom(...raws).map((raw) => ({
    plan,
    what: 'not HTTP',
    request: { ...toWireRequest(plan), raw },
    expected: { kind: 'unreadable' },
  }));
};
