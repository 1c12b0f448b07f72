import { expect } from 'chai';
import { refuseUnstorable } from '../../server/contract/storable.ts';

/** The names of what is refused. */
function refused(parts: object, found: Record<string, string> = {}): Record<string, string> {
  refuseUnstorable({ path: {}, query: {}, header: {}, requestBody: undefined, ...parts } as never, found);
  return found;
}
const fault = (name: string) => ({ [name]: `${name} holds a character that cannot be stored.` });

describe('text that no database could give back', () => {
  it('is refused wherever it stands: in path, query, header or body', () => {
    for (const part of ['path', 'query', 'header', 'requestBody'])
      expect(refused({ [part]: { note: 'a\0b' } }), part).to.deep.equal(fault('note'));
  });

  it('is a NUL, and half of a pair of surrogates, on either side', () => {
    for (const text of ['\0', 'a\uD83D', '\uDE00a']) expect(refused({ query: { note: text } })).to.deep.equal(fault('note'));
    for (const text of ['', 'a', '😀', '\u0001', 'é\n']) expect(refused({ query: { note: text } })).to.deep.equal({});
  });

  it('is refused in a list for one of its texts', () => {
    expect(refused({ requestBody: { events: ['a', '\0'] } })).to.deep.equal(fault('events'));
    expect(refused({ requestBody: { events: ['a', 'b'], count: 7, none: null, yes: true } })).to.deep.equal({});
  });

  it('does not outshout what was found before, and does not concern a body that is no object', () => {
    expect(refused({ query: { note: '\0' } }, { note: 'too long' })).to.deep.equal({ note: 'too long' });
    for (const requestBody of [null, undefined, 'a\0', 7]) expect(refused({ requestBody })).to.deep.equal({});
  });
});
