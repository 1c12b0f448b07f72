import { expect } from 'chai';
import { readPairs } from '../../server/contract/coerce.ts';
import { type Contract, loadContract } from '../../server/contract/contract.ts';
import type { ContractRequest } from '../../server/contract/read-request.ts';
import { smallContract, theContract } from '../support/contract.ts';
import { acceptedBy, validationErrors } from '../support/validation.ts';

describe('validation of a request body', () => {
  let contract: Contract;
  before(async () => {
    contract = await theContract();
  });
  const accepted = (operationId: string, request?: Partial<ContractRequest>) => acceptedBy(contract, operationId, request);
  const faults = (operationId: string, request: Partial<ContractRequest>) => validationErrors(contract, operationId, request);

  it('fills in the defaults of an optional body', () => {
    expect(accepted('post_keys').body).to.deep.equal({ description: '', scopes: ['read'] });
  });

  it('fills in a default beside a $ref', () => {
    const responses = { 200: { description: 'Done.' } };
    const parameters = [{ name: 'size', in: 'query', schema: { $ref: '#/components/schemas/Size' } }];
    const schema = { type: 'object', properties: { size: { $ref: '#/components/schemas/Size', default: 7 } } };
    const post = { operationId: 'post_a', responses, requestBody: { content: { 'application/json': { schema } } } };
    const components = { schemas: { Size: { type: 'integer', default: 1 } } };
    const small = loadContract(smallContract({ '/a': { get: { operationId: 'get_a', responses, parameters }, post } }, components));
    expect([acceptedBy(small, 'get_a').query, acceptedBy(small, 'post_a').body]).to.deep.equal([{ size: 1 }, { size: 7 }]);
  });

  it('does not read a field of an add-on that is not active, also from a form', () => {
    const hasParameter = (field: { readonly 'x-add-ons'?: readonly string[] }): boolean => !field['x-add-ons']?.includes('risk');
    for (const requestBody of [{ format: 'csv', despite_signals: true }, readPairs('format=csv&despite_signals=true')]) {
      expect(accepted('post_payout_batches', { requestBody }).body).to.deep.include({ despite_signals: true });
      expect(accepted('post_payout_batches', { requestBody, hasParameter }).body).to.deep.include({ despite_signals: false });
    }
  });

  it('gives each request its own copy of the defaults', () => {
    const first = accepted('post_keys', { requestBody: {} }).body as { scopes: string[] };
    first.scopes.push('manage');
    expect(accepted('post_keys', { requestBody: {} }).body).to.deep.include({ scopes: ['read'] });
  });

  it('names a missing field, also when there is no body', () => {
    for (const body of [undefined, {}, readPairs('')]) {
      expect(faults('post_payouts', { requestBody: body })).to.deep.equal({ coupon_id: 'coupon_id is required.' });
    }
  });

  it('reads a form by the schema', () => {
    for (const form of [
      'scopes[]=read&scopes[]=write',
      'scopes=read&scopes=write',
      'scopes[]=read&scopes=write',
      'scopes[0]=read&scopes[1]=write',
    ]) {
      expect(accepted('post_keys', { requestBody: readPairs(`user_id=42&${form}`) }).body, form).to.deep.include({
        user_id: 42,
        scopes: ['read', 'write'],
      });
    }
    const decision = readPairs('status=accepted&send_email=0');
    expect(accepted('post_registrations_id_status', { params: { id: '7' }, requestBody: decision }).body).to.deep.include({
      status: 'accepted',
      send_email: false,
    });
  });

  it('never coerces JSON', () => {
    expect(faults('post_payouts', { requestBody: { coupon_id: '301' } })).to.deep.equal({ coupon_id: 'coupon_id must be an integer.' });
    expect(faults('post_keys', { requestBody: { scopes: 'read' } })).to.deep.equal({ scopes: 'scopes must be a list.' });
    const decision = { status: 'accepted', send_email: 1 };
    expect(faults('post_registrations_id_status', { params: { id: '7' }, requestBody: decision })).to.deep.equal({
      send_email: 'send_email must be true or false.',
    });
  });

  it('reports an invalid entry under the name of its list', () => {
    expect(faults('post_keys', { requestBody: { scopes: ['read', 'admin'] } })).to.deep.equal({
      scopes: 'scopes[1] must be one of read, write, manage.',
    });
    expect(faults('post_keys', { requestBody: { scopes: [] } })).to.deep.equal({ scopes: 'scopes must have between 1 and 3 entries.' });
  });

  it('refuses a body that is not an object as a whole', () => {
    for (const body of [[], null, 5, 'text', true]) {
      expect(faults('post_payouts', { requestBody: body }), JSON.stringify(body)).to.deep.equal({ body: 'body must be an object.' });
    }
  });

  it('stops at the first entry beyond maxItems', () => {
    let looks = 0;
    const scopes = new Proxy(
      Array.from({ length: 500_000 }, () => 0),
      {
        get: (list, key) => {
          looks += 1;
          return Reflect.get(list, key) as unknown;
        },
      },
    );
    expect(faults('post_keys', { requestBody: { scopes } })).to.have.keys('scopes');
    expect(looks).to.be.below(20);
  });

  it('ignores the body of an operation without one', () => {
    expect(accepted('delete_keys_id', { params: { id: '1' }, requestBody: { anything: true } }).body).to.equal(undefined);
  });
});
