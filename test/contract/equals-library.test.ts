import { expect } from 'chai';
import type { Contract } from '../../server/contract/contract.ts';
import type { ValidRequest } from '../../server/contract/contract-validator.ts';
import { bodySchema, type ContractOperation } from '../../server/contract/document.ts';
import { operationOf, theContract } from '../support/contract.ts';
import { type PlainLibrary, plainLibrary } from '../support/plain-library.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { type SampleRequest, sampleRequest } from '../support/sample-requests.ts';
import { emptyRequest } from '../support/validation.ts';

/**
 * The router and the validator of openapi-backend are replaced by classes that extend them. Here they are held to the library's own
 * answers over generated requests. Where it differs, it differs on purpose:
 *
 * | request | openapi-backend | here | because |
 * |---|---|---|---|
 * | HEAD on a path with GET | no operation | the operation of GET | decisions 1 |
 * | DELETE /webhooks/events | DELETE /webhooks/{id} | no route, Allow: GET | a fixed path is not a record |
 * | broken percent-encoding in the path | throws | no route | never a 500 |
 * | unknown query parameter | invalid | dropped | decisions 1 |
 * | integers as 1e3, 0x10, 007, " 5", 5.0 | valid | invalid | one number has one spelling |
 * | booleans as 1 and 0 | invalid | valid | decisions 1 |
 * | an empty query parameter other than from and to, null in an optional field | invalid | left out | decisions 1 |
 * | no body where it may be left out | nothing | the defaults of an empty one | a handler has one case less |
 * | a list of records | each record is validated | its length is | decisions 15: each record has its own outcome |
 * | numbers, booleans and single-value lists in a form | invalid, they are strings | read by the schema | decisions 1 |
 */

const nothing: SampleRequest = { path: '', search: '', headers: {}, body: undefined };

const seed = 20260101;
/** PROVE_REQUESTS: number of requests to each operation. */
const requestsPerOperation = Number(process.env['PROVE_REQUESTS'] ?? 10);

describe('routing and validation, compared with openapi-backend,', () => {
  let contract: Contract;
  let library: PlainLibrary;
  before(async () => {
    contract = await theContract();
    library = await plainLibrary(contract.apiRoot);
  });

  it('resolves every reference of the document as the library does', () => {
    expect(contract.backend.definition).to.deep.equal(library.definition);
  });

  function match(method: string, path: string): string | undefined {
    return contract.router.matchOperation({ method, path: contract.apiRoot + path })?.operationId;
  }

  /** Null for an invalid request. */
  function validate({ method, operationId }: ContractOperation, { path, search, headers, body }: SampleRequest): ValidRequest | null {
    const endpoint = { method: method.toUpperCase(), path: contract.apiRoot + path };
    const request = { ...emptyRequest(), ...endpoint, query: search, headers, requestBody: structuredClone(body) };
    contract.router.parseRequest(request, contract.router.matchOperation(endpoint));
    const { valid, coerced } = contract.validator.validateRequest(request, operationId);
    return valid ? coerced : null;
  }

  function madeUpPath(random: Random): string {
    const collections = ['coupons', 'webhooks', 'payouts', 'registrations', 'clicks', 'events', 'me', 'nothing', ''];
    const words = ['events', '5', 'abc', 'stats', 'status', 'test', 'orders', '', '%41'];
    return ['', random.pick(collections), ...Array.from({ length: random.below(4) }, () => random.pick(words))].join('/');
  }

  /** What the library says, but for a trailing slash, which it ignores, and for a path that is written so in the contract: there only its own methods count. */
  function expectedMatch(method: string, path: string): string | undefined {
    if (path.endsWith('/')) return undefined;
    const fixed = contract.operations.filter((operation) => operation.path === path);
    if (fixed.length === 0) return library.match(method, path);
    return fixed.find((operation) => operation.method.toUpperCase() === method)?.operationId;
  }

  it(`finds the same operation for 1500 generated paths (seed ${seed})`, () => {
    const random = seededRandom(seed);
    const tally = { found: 0, none: 0 };
    for (let round = 0; round < 1500; round += 1) {
      const [method, path] = [random.pick(['GET', 'POST', 'PATCH', 'DELETE', 'PUT']), madeUpPath(random)];
      const expected = expectedMatch(method, path);
      expect(match(method, path), `${method} ${path}`).to.equal(expected);
      tally[expected ? 'found' : 'none'] += 1;
    }
    expect(Math.min(tally.found, tally.none)).to.be.above(80);
  });

  it(`finds the same operation, result and values for ${requestsPerOperation} requests to each operation (seed ${seed})`, () => {
    const random = seededRandom(seed);
    const tally = { valid: 0, invalid: 0 };
    for (const operation of contract.operations.filter((one) => bodySchema(one)?.items === undefined)) {
      for (let round = 0; round < requestsPerOperation; round += 1) {
        const sample = sampleRequest(random, operation);
        const [ours, theirs] = [validate(operation, sample), library.validate(operation, sample)];
        const context = JSON.stringify({ operation: operation.operationId, sample, ours, theirs: theirs.errors });
        expect(match(operation.method.toUpperCase(), sample.path), context).to.equal(library.match(operation.method, sample.path));
        expect(ours !== null, context).to.equal(theirs.valid);
        if (ours) expect([ours.query, ours.path], context).to.deep.equal([theirs.coerced?.query, theirs.coerced?.params]);
        tally[ours ? 'valid' : 'invalid'] += 1;
      }
    }
    expect(Math.min(tally.valid, tally.invalid)).to.be.above(8 * requestsPerOperation);
  });

  it('differs where the table above says so', () => {
    const page = (text: string) => ['get_coupons', { path: '/coupons', search: `page=${text}` }, false] as const;
    const refresh = (text: string) => ['get_coupons_id_stats', { path: '/coupons/5/stats', search: `refresh=${text}` }, true] as const;
    const differences: (readonly [operationId: string, sample: Partial<SampleRequest>, isValidHere: boolean])[] = [
      ['get_coupons', { path: '/coupons', search: 'later=1' }, true],
      ['get_coupons', { path: '/coupons', search: 'search=&status=' }, true],
      ['post_keys', { path: '/keys', body: { expires: null } }, true],
      ...['1', '0'].map(refresh),
      ...['1e1', '0x10', '007', '%205', '5.0'].map(page),
    ];
    for (const [operationId, changes, isValidHere] of differences) {
      const [operation, sample] = [operationOf(contract, operationId), { ...nothing, ...changes }];
      const verdicts = { here: validate(operation, sample) !== null, library: library.validate(operation, sample).valid };
      expect(verdicts, JSON.stringify(sample)).to.deep.equal({ here: isValidHere, library: !isValidHere });
    }
    expect([library.match('HEAD', '/coupons'), match('HEAD', '/coupons')]).to.deep.equal([undefined, 'get_coupons']);
    expect([library.match('DELETE', '/webhooks/events'), match('DELETE', '/webhooks/events')]).to.deep.equal([
      'delete_webhooks_id',
      undefined,
    ]);
  });
});
