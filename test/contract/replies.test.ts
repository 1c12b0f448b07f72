import { expect } from 'chai';
import { type Contract, loadContract } from '../../server/contract/contract.ts';
import type { ReceivedResponse } from '../../server/contract/responses.ts';
import { smallContract, theContract } from '../support/contract.ts';
import { catalog, catalogEntry as event, everyAnswer, notFound } from '../support/replies.ts';

function without(headers: ReceivedResponse['headers'], name: string): ReceivedResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}

describe('checkResponse, which compares a response with the contract,', () => {
  let contract: Contract;
  before(async () => {
    contract = await theContract();
  });

  const check = (reply: ReceivedResponse, operationId = 'get_webhooks_events') => contract.checkResponse(operationId, reply);

  it('accepts a valid success and a valid error', () => {
    expect(check(catalog)).to.deep.equal([]);
    expect(check(notFound)).to.deep.equal([]);
  });

  it('refuses a status that the operation does not declare', () => {
    expect(check({ ...notFound, status: 418 })).to.have.lengthOf(1);
    expect(check({ ...notFound, status: 418 })[0]).to.contain('get_webhooks_events does not declare the status 418');
    expect(check({ ...catalog, status: 201 })).to.have.lengthOf(1);
  });

  it('refuses an operation that the contract does not have', () => {
    expect(check(catalog, 'get_nothing')).to.deep.equal(['The contract has no operation get_nothing.']);
  });

  it('refuses a response without a required header', () => {
    for (const name of ['x-svc-total', 'x-svc-totalpages', 'x-request-id', 'ratelimit', 'ratelimit-policy']) {
      const faults = check({ ...catalog, headers: without(catalog.headers, name) });
      expect(faults, name).to.have.lengthOf(1);
      expect(faults[0]?.toLowerCase()).to.contain(`the required header ${name} is missing`);
    }
  });

  it('compares header names case-insensitively', () => {
    const upper = Object.fromEntries(Object.entries(catalog.headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(check({ ...catalog, headers: upper })).to.deep.equal([]);
  });

  it('refuses a header whose value does not match its schema', () => {
    for (const text of ['-1', 'one', '1.5', '01', '']) {
      expect(check({ ...catalog, headers: { ...catalog.headers, 'x-svc-total': text } }), text).to.have.lengthOf(1);
    }
    expect(check({ ...catalog, headers: { ...catalog.headers, ratelimit: '87' } })).to.have.lengthOf(1);
  });

  it('refuses an X-Svc- header that is not declared for the response', () => {
    const faults = check({ ...catalog, headers: { ...catalog.headers, 'X-Svc-Existing': '1' } });
    expect(faults).to.deep.equal(['get_webhooks_events 200: the header x-svc-existing is not declared.']);
  });

  it('refuses an extra field, a missing field and a field of another type, at any depth', () => {
    expect(check({ ...catalog, body: [{ ...event, extra: 1 }] })[0]).to.contain('"additionalProperty":"extra"');
    expect(check({ ...catalog, body: [{ event: 'payout.paid' }] })[0]).to.contain('"missingProperty":"description"');
    expect(check({ ...catalog, body: [{ ...event, event: 5 }] })[0]).to.contain('/0/event must be string');
    expect(check({ ...notFound, body: { ...(notFound.body as object), data: { status: 404, more: 1 } } })[0]).to.contain(
      '"additionalProperty":"more"',
    );
  });

  it('does not fill in defaults of missing fields', async () => {
    const schema = { type: 'object', required: ['source'], properties: { source: { type: 'string', default: 'cache' } } };
    const responses = { 200: { description: 'Figures.', content: { 'application/json': { schema } } } };
    const small = loadContract(smallContract({ '/a': { get: { operationId: 'get_a', responses } } }));
    expect(small.checkResponse('get_a', { status: 200, headers: everyAnswer, body: {} })[0]).to.contain('"missingProperty":"source"');
  });

  it('refuses an error code that the operation does not declare for this status', () => {
    const withCode = (code: unknown): ReceivedResponse => ({ ...notFound, body: { ...(notFound.body as object), code } });
    expect(check(withCode('svc_api_conflict'))[0]).to.contain(
      'the code svc_api_conflict is not declared, only svc_api_not_found, rest_no_route',
    );
    expect(check(withCode('svc_api_forbidden'))).to.have.lengthOf(1);
    expect(check(withCode('rest_no_route'))).to.deep.equal([]);
  });

  it('accepts the error codes of the operation and of the shared response', () => {
    const badRequest = (code: string): ReceivedResponse => ({
      status: 400,
      headers: everyAnswer,
      body: { code, message: 'No.', data: { status: 400 } },
    });
    expect(check(badRequest('svc_api_no_balance'), 'post_payouts')).to.deep.equal([]);
    expect(check(badRequest('rest_invalid_json'), 'post_payouts')).to.deep.equal([]);
    expect(check(badRequest('svc_api_no_balance'), 'post_keys')).to.have.lengthOf(1);
  });

  it('refuses an error whose body has another status than the response', () => {
    const body = { ...(notFound.body as object), data: { status: 403 } };
    expect(check({ ...notFound, body })).to.deep.equal(['get_webhooks_events 404: data.status is 403.']);
  });

  it('refuses a missing body and another media type', () => {
    expect(check({ ...catalog, body: undefined })[0]).to.contain('there is no body');
    expect(check({ ...catalog, headers: { ...catalog.headers, 'content-type': 'text/html' } })[0]).to.contain(
      'the media type is text/html',
    );
    expect(check({ ...catalog, headers: without(catalog.headers, 'content-type') })[0]).to.contain('the media type is missing');
  });

  it('requires the headers but no body in a response to HEAD', () => {
    expect(check({ ...catalog, body: undefined, toHead: true })).to.deep.equal([]);
    expect(check({ ...catalog, body: undefined, toHead: true, headers: without(catalog.headers, 'x-svc-total') })).to.have.lengthOf(1);
  });
});
