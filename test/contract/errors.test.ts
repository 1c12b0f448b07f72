import { expect } from 'chai';
import { ApiError, type ErrorCode, errorTable } from '../../domain/errors.ts';
import { operations } from '../../generated/operations.ts';

/** Every code that the contract says can be raised, with each status it is declared under. */
const declared = Object.values(operations).flatMap((operation) =>
  Object.entries<readonly string[]>(operation.errorCodes).flatMap(([status, codes]) =>
    codes.map((code) => ({ code, status: Number(status) })),
  ),
);

describe('error codes', () => {
  it('are the same in the contract and in the table of the code', () => {
    const inContract = [...new Set<string>(declared.map(({ code }) => code))].toSorted();
    expect(inContract).to.deep.equal(Object.keys(errorTable).toSorted());
  });

  it('stand in the contract under the status that the table gives them', () => {
    for (const { code, status } of declared) expect(errorTable[code as ErrorCode].status, code).to.equal(status);
  });

  it('carry the prefix of the service, or of its REST layer for what comes before any operation', () => {
    for (const code of Object.keys(errorTable)) expect(code).to.match(/^(svc_api|rest)_[a-z_]+$/);
  });

  it('answer in the shape of the host platform, with the log text kept inside', () => {
    const error = new ApiError('svc_api_rate_limited', { data: { retry_after: 60 }, log: 'key 12 from 192.0.2.7' });
    expect(error.body).to.deep.equal({
      code: 'svc_api_rate_limited',
      message: 'Too many requests. Try again in a minute.',
      data: { status: 429, retry_after: 60 },
    });
    expect(new ApiError('svc_api_not_found', { message: 'Payout not found.' }).body.message).to.equal('Payout not found.');
  });
});
