import { expect } from 'chai';
import { listResponses, type MockResponse } from '../../scripts/mock/responses.ts';
import type { Contract } from '../../server/contract/contract.ts';
import type { ContractOperation, Parameter } from '../../server/contract/document.ts';
import { operationOf } from '../support/contract.ts';
import type { CallOptions, ContractClient } from '../support/contract-client.ts';
import { type RunningMock, startMock } from '../support/mock-server.ts';

/** PROVE_DOCUMENTS=all: every error of every operation. Otherwise every sixth: most are the same of all operations. */
const isProof = process.env['PROVE_DOCUMENTS'] === 'all';

/** A valid call, from the examples of the contract. */
function validCall(operation: ContractOperation): { path: string; options: CallOptions } {
  const exampleOf = (parameter: Parameter & { example?: unknown }) => String(parameter.example);
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const path = inPath.reduce((filled, parameter) => filled.replace(`{${parameter.name}}`, exampleOf(parameter)), operation.path);
  const body = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})[0]?.value;
  return { path, options: body === undefined ? {} : { json: body } };
}

describe('the mock', () => {
  let contract: Contract;
  let origin: string;
  let client: ContractClient;
  let mock: RunningMock;
  before(async () => {
    mock = await startMock();
    ({ client, origin, contract } = mock);
  });
  after(() => mock.stop());

  async function request(operation: ContractOperation, prefer: string) {
    const { path, options } = validCall(operation);
    return client.call(operation.method.toUpperCase(), path, { ...options, headers: { Prefer: prefer } });
  }

  describe('can return every response of the contract:', () => {
    it('without Prefer every operation returns its first success, 201 if it declares one, and /openapi the contract', async () => {
      for (const operation of contract.operations) {
        const { path, options } = validCall(operation);
        const { status, body } = await client.call(operation.method.toUpperCase(), path, options);
        const expected = '201' in operation.responses ? 201 : 200;
        const example = listResponses(operation).find((answer) => answer.status === expected);
        const isContract = operation.operationId === 'get_openapi';
        expect({ status, body }, operation.operationId).to.deep.equal({
          status: expected,
          body: isContract ? contract.document : example?.body,
        });
      }
    });

    it('Prefer can select every status and every named example of every operation', async () => {
      let requests = 0;
      for (const [at, operation] of contract.operations.entries()) {
        const responses = listResponses(operation);
        expect(new Set(responses.map(({ status }) => String(status))), operation.operationId).to.deep.equal(
          new Set(Object.keys(operation.responses)),
        );
        for (const [number, { status, name, body }] of responses.entries()) {
          if (!isProof && status >= 400 && (at + number) % 6 > 0) continue;
          const reply = await request(operation, `code=${status}, example=${name}`);
          expect({ status: reply.status, body: reply.body as unknown }, `${operation.operationId} ${status} ${name}`).to.deep.equal({
            status,
            body,
          });
          expect(reply.headers.get('Preference-Applied')).to.equal(`code=${status}, example=${name}`);
          requests += 1;
        }
      }
      expect(requests).to.be.above(contract.operations.length * (isProof ? 8 : 2));
    });

    it('Prefer can select every error code that an operation declares', () => {
      for (const operation of contract.operations) {
        const codes = listResponses(operation).map(({ body }: MockResponse) => (body as { code?: string } | undefined)?.code);
        const declared = [
          ...Object.values(operation['x-error-codes'] ?? {}),
          ...Object.values(operation.responses).map((response) => response['x-error-codes'] ?? []),
        ].flat();
        expect(codes, operation.operationId).to.include.members(declared);
      }
    });

    it('a code alone selects its first example, a name alone is found in any status', async () => {
      expect(await request(operationOf(contract, 'get_coupons_id'), 'code=404')).to.deep.include({ status: 404 });
      expect((await request(operationOf(contract, 'get_coupons_id'), 'example=no_route')).body.code).to.equal('rest_no_route');
      expect((await request(operationOf(contract, 'post_payouts'), 'example=auto_accepted')).status).to.equal(201);
      expect((await request(operationOf(contract, 'get_coupons_id_stats'), 'code=200, example="throttled"')).body.source).to.equal(
        'throttled',
      );
    });

    it('an unknown code or name is refused with a list of those that exist', async () => {
      const orders = operationOf(contract, 'get_coupons_id_orders');
      const byCode = await request(orders, 'code=418');
      expect(byCode).to.deep.include({ status: 400 });
      expect(byCode.body.data.params.Prefer).to.equal('Prefer: code must be one of 200, 400, 401, 403, 404, 429, 500, 503.');
      const byName = await request(orders, 'code=404, example=nonsense');
      expect(byName.body.data.params.Prefer).to.equal('Prefer: example must be one of not_found, no_route.');
      expect((await request(orders, 'code=abc')).status).to.equal(400);
      expect((await request(orders, 'code=404, example=two')).status).to.equal(400);
    });

    it('an unknown code is refused also if the operation declares no 400', async () => {
      const response = await fetch(`${origin}/api/v2/me`, { headers: { Authorization: 'Bearer any', Prefer: 'code=418' } });
      const { code, data } = (await response.json()) as { code: string; data: { params: Record<string, string> } };
      expect([response.status, code]).to.deep.equal([400, 'rest_invalid_param']);
      expect(data.params.Prefer).to.equal('Prefer: code must be one of 200, 401, 403, 404, 429, 500, 503.');
      expect(response.headers.get('X-Request-Id')).to.match(/^[0-9a-f-]{36}$/);
    });

    it('totals agree with the list, and Retry-After with retry_after', async () => {
      const { headers, body } = await client.get('/coupons');
      expect(headers.get('X-Svc-Total')).to.equal(String(body.length));
      const locked = await request(operationOf(contract, 'get_coupons'), 'code=429, example=locked_out');
      expect(locked.headers.get('Retry-After')).to.equal(String(locked.body.data.retry_after));
    });

    it('every response has its own request id, also for concurrent requests', async () => {
      const ids = (await Promise.all(Array.from({ length: 20 }, () => client.get('/me')))).map(({ headers }) =>
        headers.get('X-Request-Id'),
      );
      expect(new Set(ids).size).to.equal(20);
    });

    it('the front page lists every operation with its examples', async () => {
      const { base, operations } = (await (await fetch(`${origin}/`)).json()) as {
        base: string;
        operations: { operation: string; examples: object }[];
      };
      expect(base).to.equal('/api/v2');
      expect(operations.map(({ operation }) => operation)).to.deep.equal(contract.operations.map(({ operationId }) => operationId));
      expect(operations.find(({ operation }) => operation === 'get_coupons_id')?.examples).to.deep.include({
        404: ['not_found', 'no_route'],
      });
    });
  });
});
