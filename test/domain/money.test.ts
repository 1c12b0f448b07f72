import { expect } from 'chai';
import { decimalsOf, toNumber } from '../../domain/money.ts';

describe('money', () => {
  it("has the currency's own number of decimals", () => {
    expect(['EUR', 'USD', 'JPY', 'KWD'].map(decimalsOf)).to.deep.equal([2, 2, 0, 3]);
  });

  it('is given out as the number nearest to what people would write', () => {
    expect(toNumber(1618, 'EUR')).to.equal(16.18);
    expect(toNumber(1618, 'JPY')).to.equal(1618);
    expect(toNumber(1618, 'KWD')).to.equal(1.618);
    expect(toNumber(-5, 'EUR')).to.equal(-0.05);
    for (let minor = 0; minor < 100_000; minor += 1) expect(String(toNumber(minor, 'EUR'))).to.match(/^\d+(\.\d{1,2})?$/);
  });
});
