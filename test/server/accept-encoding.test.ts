import { expect } from 'chai';
import { codingFor } from '../../server/http/accept-encoding.ts';

describe('the form that an Accept-Encoding asks for', () => {
  const cases: [header: string | undefined, coding: string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;Q=0.9, BR;Q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['gzip;q=0.000', 'identity'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['*;q=0', 'identity'],
    ['gzip, *;q=0', 'gzip'],
    ['identity', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0', 'identity'],
    ['deflate, zstd', 'identity'],
    ['gzip;q=2, br;q=often', 'identity'],
    ['gzip;level=1;q=0.3', 'gzip'],
    [',;q=1,gzip ; q = 0.2', 'gzip'],
  ];
  for (const [header, coding] of cases)
    it(`${header ?? 'none'}: ${coding}`, () => {
      expect(codingFor(header)).to.equal(coding);
    });
});
