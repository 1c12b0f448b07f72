import { expect } from 'chai';
import { formatPreferences, parsePrefer } from '../../scripts/mock/responses.ts';

describe('the Prefer header of the mock', () => {
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
    it(`is parsed as RFC 7240 requires: ${header || '(empty)'}`, () => {
      expect(parsePrefer(header)).to.deep.equal(preferences);
    });
  }

  it('is formatted so that it parses to the same preferences', () => {
    for (const preferences of [{ code: '404' }, { code: '409', example: 'in progress, "really"' }, { example: 'back\\slash' }]) {
      expect(parsePrefer(formatPreferences(preferences))).to.deep.equal(preferences);
    }
  });
});
