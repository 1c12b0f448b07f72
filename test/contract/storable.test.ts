import type { ErrorObject } from 'ajv';
import { expect } from 'chai';
import * as validator from '../../server/contract/contract-validator.ts';
import { describeErrors } from '../../server/contract/validation-errors.ts';

/** The sentences by parameter name. */
function findUnstorable(parts: object, found: ErrorObject[] = []): Record<string, string> {
  const request = { path: {}, query: {}, header: {}, requestBody: undefined, ...parts };
  return describeErrors([...found, ...validator.findUnstorable(request)], { parameters: [] } as never);
}
const fault = (name: string) => ({ [name]: `${name} holds a character that cannot be stored.` });

describe('text that a database cannot store', () => {
  it('is refused in path, query, header and body', () => {
    for (const part of ['path', 'query', 'header', 'requestBody'])
      expect(findUnstorable({ [part]: { note: 'a\0b' } }), part).to.deep.equal(fault('note'));
  });

  it('is a NUL or an unpaired surrogate', () => {
    for (const text of ['\0', 'a\uD83D', '\uDE00a']) expect(findUnstorable({ query: { note: text } })).to.deep.equal(fault('note'));
    for (const text of ['', 'a', '😀', '\u0001', 'é\n']) expect(findUnstorable({ query: { note: text } })).to.deep.equal({});
  });

  it('is refused inside a list', () => {
    expect(findUnstorable({ requestBody: { events: ['a', '\0'] } })).to.deep.equal(fault('events'));
    expect(findUnstorable({ requestBody: { events: ['a', 'b'], count: 7, none: null, yes: true } })).to.deep.equal({});
  });

  it('does not replace an earlier sentence, and is not looked for in a body that is no object', () => {
    const tooLong = { keyword: 'custom', instancePath: '/query/note', schemaPath: '', params: {}, message: 'is too long' };
    expect(findUnstorable({ query: { note: '\0' } }, [tooLong])).to.deep.equal({ note: 'note is too long.' });
    for (const requestBody of [null, undefined, 'a\0', 7]) expect(findUnstorable({ requestBody })).to.deep.equal({});
  });
});
