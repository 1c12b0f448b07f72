import { expect } from 'chai';
import { createVisitorHasher } from '../../domain/clicks/record.ts';
import { conversionRate } from '../../domain/clicks/stats.ts';

const hashVisitor = createVisitorHasher('a master key for tests');

describe('the conversion rate', () => {
  it('has two decimals, rounded half up, and is 0 without clicks', () => {
    const rates = [
      [0, 0, 0],
      [3, 1, 33.33],
      [3, 2, 66.67],
      [800, 1, 0.13],
      [800, 3, 0.38],
      [1600, 1, 0.06],
      [7, 7, 100],
    ] as const;
    for (const [clicks, conversions, rate] of rates) expect(conversionRate({ clicks, conversions })).to.equal(rate);
  });
});

describe('the hash of a visitor', () => {
  it('is the same for the same visitor and key, and reveals nothing without the key', () => {
    expect(hashVisitor('visitor')).to.equal(createVisitorHasher('a master key for tests')('visitor'));
    expect(hashVisitor('visitor')).not.to.equal(hashVisitor('Visitor'));
    expect(hashVisitor('visitor')).not.to.equal(createVisitorHasher('another master key')('visitor'));
    expect(hashVisitor('visitor')).to.match(/^[\w-]{43}$/);
  });
});
