import { expect } from 'chai';
import { ApiError, type ErrorCode, errorTable } from '../../domain/errors.ts';
import { operations } from '../../generated/operations.ts';

/** Every code of the contract with each status that declares it. */
const declared = Object.values(operations).flatMap((operation) =>
  Object.entries<readonly string[]>(operation.errorCodes).flatMap(([status, codes]) =>
    codes.map((code) => ({ code, status: Number(status) })),
  ),
);

describe('the error codes', () => {
  it('are the same in the contract and in errorTable', () => {
    const inContract = [...new Set<string>(declared.map(({ code }) => code))].toSorted();
    expect(inContract).to.deep.equal(Object.keys(errorTable).toSorted());
  });

  it('have the same status in the contract and in errorTable', () => {
    for (const { code, status } of declared) expect(errorTable[code as ErrorCode].status, code).to.equal(status);
  });

  it('start with svc_api_, or with rest_ for errors before any operation', () => {
    for (const code of Object.keys(errorTable)) expect(code).to.match(/^(svc_api|rest)_[a-z_]+$/);
  });

  it('produce a body of code, message and data, without the log text', () => {
    const error = new ApiError('svc_api_rate_limited', { data: { retry_after: 60 }, log: 'key 12 from 192.0.2.7' });
    expect(error.body).to.deep.equal({
      code: 'svc_api_rate_limited',
      message: 'Too many requests. Try again in a minute.',
      data: { status: 429, retry_after: 60 },
    });
    expect(new ApiError('svc_api_not_found', { message: 'Payout not found.' }).body.message).to.equal('Payout not found.');
  });
});
