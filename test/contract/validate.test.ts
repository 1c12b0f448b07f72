import { expect } from 'chai';
import { readPairs } from '../../server/contract/coerce.ts';
import type { Contract } from '../../server/contract/contract.ts';
import type { ContractRequest } from '../../server/contract/read-request.ts';
import { theContract } from '../support/contract.ts';
import { acceptedBy, emptyRequest, validationErrors } from '../support/validation.ts';

describe('validation of request parameters', () => {
  let contract: Contract;
  before(async () => {
    contract = await theContract();
  });
  const accepted = (operationId: string, request?: Partial<ContractRequest>) => acceptedBy(contract, operationId, request);
  const faults = (operationId: string, request: Partial<ContractRequest>) => validationErrors(contract, operationId, request);

  it('returns path, query and defaults with their types', () => {
    const { path, query } = accepted('get_coupons_id_orders', {
      params: { id: '301' },
      query: 'page=3&from=2026-10-01&status=completed',
    });
    expect(path).to.deep.equal({ id: 301 });
    expect(query).to.deep.equal({ page: 3, per_page: 20, from: '2026-10-01', status: 'completed' });
  });

  it('returns the defaults when there is no query', () => {
    expect(accepted('get_webhooks_events').query).to.deep.equal({ page: 1, per_page: 20 });
  });

  it('drops unknown query parameters and body fields', () => {
    expect(accepted('get_webhooks_events', { query: 'later=1&__proto__=2&page=2' }).query).to.deep.equal({ page: 2, per_page: 20 });
    expect(accepted('post_payouts', { requestBody: { coupon_id: 301, amount: 5 } }).body).to.deep.equal({ coupon_id: 301 });
    expect(accepted('post_payouts', { requestBody: readPairs('coupon_id=301&amount=5') }).body).to.deep.equal({ coupon_id: 301 });
  });

  it('says for each invalid parameter what it must be', () => {
    const search = 'page=0&per_page=101&status=lost&from=2026-02-30&to=tomorrow&coupon_id=x&user_id=0';
    expect(faults('get_payouts', { query: search })).to.deep.equal({
      page: 'page must be at least 1.',
      per_page: 'per_page must be between 1 and 100.',
      status: 'status must be one of pending, created, paid, cancel.',
      from: 'from must be a day that exists, written YYYY-MM-DD.',
      to: 'to must be a day that exists, written YYYY-MM-DD.',
      coupon_id: 'coupon_id must be an integer.',
      user_id: 'user_id must be at least 1.',
    });
    expect(faults('get_coupons_id_stats', { params: { id: 'abc' }, query: 'refresh=yes' })).to.deep.equal({
      id: 'id must be an integer.',
      refresh: 'refresh must be true or false.',
    });
  });

  it('reads an empty query parameter of every operation as left out, and refuses an empty from or to', () => {
    const checked = contract.operations.flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => {
          const { operationId } = operation;
          const request = (query: string) => ({ ...emptyRequest(), params: { id: '1' }, query });
          const validate = (query: string) => contract.validator.validateRequest(request(query), operationId);
          if (name === 'from' || name === 'to')
            expect(faults(operationId, request(`${name}=`))).to.have.property(
              name,
              `${name} must be a day that exists, written YYYY-MM-DD.`,
            );
          else expect(validate(`${name}=`), `${operationId} ${name}`).to.deep.equal(validate(''));
          return name;
        }),
    );
    expect(checked).to.include.members(['from', 'to', 'after', 'page', 'interval', 'refresh', 'orderby', 'top', 'event']);
  });

  it('refuses a number beyond the bound and names the bound', () => {
    expect(faults('get_reports_summary', { query: 'top=51' })).to.deep.equal({ top: 'top must be between 0 and 50.' });
    expect(Object.keys(faults('post_payouts', { requestBody: { coupon_id: 1e20 } }))).to.deep.equal(['coupon_id']);
  });

  it('refuses a single value that is sent twice or as a list', () => {
    for (const search of ['page=1&page=2', 'page=1&page=1', 'page[]=1', 'page=1&page[]=2']) {
      expect(faults('get_coupons', { query: search }), search).to.deep.equal({ page: 'page must be a single value, given once.' });
    }
    expect(faults('post_payouts', { requestBody: readPairs('coupon_id=1&coupon_id=2') })).to.deep.equal({
      coupon_id: 'coupon_id must be a single value, given once.',
    });
  });

  it('accepts several kinds separated by commas, and names an invalid entry', () => {
    expect(accepted('get_events', { query: 'event=referral,payout_paid' }).query['event']).to.deep.equal(['referral', 'payout_paid']);
    expect(faults('get_events', { query: 'event=referral,nonsense' })['event']).to.match(/^event\[1\] must be one of referral, .*\.$/);
  });

  it('reads headers case-insensitively, and names them as the contract does', () => {
    const body = { coupon_id: 301 };
    expect(accepted('post_payouts', { requestBody: body, headers: { 'idempotency-key': 'a1', host: 'x' } }).headers).to.deep.equal({
      'Idempotency-Key': 'a1',
    });
    expect(faults('post_payouts', { requestBody: body, headers: { 'idempotency-key': 'k'.repeat(256) } })).to.deep.equal({
      'Idempotency-Key': 'Idempotency-Key must be between 1 and 255 characters long.',
    });
  });
});
