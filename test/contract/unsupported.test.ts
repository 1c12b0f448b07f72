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
    it(`refuses a contract that ${what}`, () => {
      expect(() => loadContract(smallContract({ '/a': { get } }))).to.throw(sentence);
    });
  }

  const broken: [what: string, ref: string, components: object, sentence: string][] = [
    ['has a reference to nothing', '#/components/schemas/None', {}, 'The contract has no component schemas/None.'],
    ['refers to a path', '#/paths/~1a', {}, 'The reference #/paths/~1a is not to a component.'],
    [
      'has a component that refers to itself',
      '#/components/schemas/Tree',
      { schemas: { Tree: { items: { $ref: '#/components/schemas/Tree' } } } },
      'The component schemas/Tree refers to itself',
    ],
  ];
  for (const [what, $ref, components, sentence] of broken)
    it(`refuses a contract that ${what}`, () => {
      const parameters = [{ name: 'a', in: 'query', schema: { $ref } }];
      const file = smallContract({ '/a': { get: { operationId: 'a', responses: {}, parameters } } }, components);
      expect(() => loadContract(file)).to.throw(sentence);
    });

  it('explains a missing file in one sentence', () => {
    expect(() => loadContract('/nowhere/openapi.json')).to.throw(
      'The contract /nowhere/openapi.json cannot be read. Run "npm run generate".',
    );
  });
});
