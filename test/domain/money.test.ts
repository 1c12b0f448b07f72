import { expect } from 'chai';
import { atLeast, atMost, decimalsOf, toNumber } from '../../domain/money.ts';

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

  it('a minimum is rounded up and a maximum down, never to the nearest', () => {
    expect([10, 10.004, 10.0049, 10.01].map((amount) => atLeast(amount, 'EUR'))).to.deep.equal([1000, 1001, 1001, 1001]);
    expect([10, 9.996, 1234.5, 10.01].map((amount) => atMost(amount, 'EUR'))).to.deep.equal([1000, 999, 123_450, 1001]);
    expect([atMost(1234.5, 'JPY'), atLeast(1234.5, 'JPY'), atMost(1234.4996, 'KWD')]).to.deep.equal([1234, 1235, 1_234_499]);
  });
});
