import { expect } from 'chai';
import { loadContract } from '../../server/contract/contract.ts';
import { smallContract } from '../support/contract.ts';

describe('loadContract', () => {
  const responses = { 200: { description: 'Done.' } };
  const body = (schema: object, form: object) => ({
    required: true,
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema: form } },
  });
  const refused: [string, object, string][] = [
    ['has an operation without operationId', { responses }, 'get /a: an operation needs an operationId.'],
    [
      'has a parameter in a cookie',
      { operationId: 'a', responses, parameters: [{ name: 'c', in: 'cookie', schema: {} }] },
      'a: parameters in cookies are not supported.',
    ],
    [
      'has different schemas for form and JSON',
      { operationId: 'a', responses, requestBody: body({ type: 'object' }, {}) },
      'a: the form and the JSON body must have one schema.',
    ],
    [
      'has a list without maxItems',
      { operationId: 'a', responses, parameters: [{ name: 'l', in: 'query', schema: { type: 'array' } }] },
      'a: a list that is sent needs maxItems.',
    ],
    [
      'misspells a format',
      { operationId: 'a', responses, parameters: [{ name: 'd', in: 'query', schema: { type: 'string', format: 'calender-day' } }] },
      'unknown format "calender-day"',
    ],
  ];
  for (const [what, get, sentence] of refused) {
    it(`refuses a contract that ${what}`, async () => {
      const error = await loadContract(smallContract({ '/a': { get } })).then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).to.contain(sentence);
    });
  }

  it('explains a missing file in one sentence', async () => {
    const error = await loadContract('/nowhere/openapi.json').then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.message).to.equal('The contract /nowhere/openapi.json cannot be read. Run "npm run generate".');
  });
});
