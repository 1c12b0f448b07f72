import { expect } from 'chai';
import { formatPreferences, parsePrefer } from '../../scripts/mock/prefer.ts';

describe('The Prefer header', () => {
  const readings: [string, object][] = [
    ['code=404', { code: '404' }],
    ['code=409, example=in_progress', { code: '409', example: 'in_progress' }],
    ['example="in progress, \\"really\\"" , CODE = "409"', { code: '409', example: 'in progress, "really"' }],
    ['respond-async; wait=10, code=404; why="a, b"', { code: '404' }],
    ['code=404, code=500', { code: '404' }],
    ['code', { code: '' }],
    ['return=minimal', {}],
    ['', {}],
  ];
  for (const [header, preferences] of readings) {
    it(`is read as RFC 7240 says: ${header || '(empty)'}`, () => {
      expect(parsePrefer(header)).to.deep.equal(preferences);
    });
  }

  it('is echoed so that it reads the same again', () => {
    for (const preferences of [{ code: '404' }, { code: '409', example: 'in progress, "really"' }, { example: 'back\\slash' }]) {
      expect(parsePrefer(formatPreferences(preferences))).to.deep.equal(preferences);
    }
  });
});
