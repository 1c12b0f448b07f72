import { expect } from 'chai';
import { atLeast, atMost, decimalsOf, exactMinor, fractionOf, fromNumber, inWords, toNumber } from '../../domain/money.ts';

describe('money', () => {
  it("has the currency's own number of decimals", () => {
    expect(['EUR', 'USD', 'JPY', 'KWD'].map(decimalsOf)).to.deep.equal([2, 2, 0, 3]);
    // Those that people write without decimals have them all the same. Intl has none.
    expect(['HUF', 'IDR', 'COP', 'PKR', 'IQD', 'CLF', 'constructor'].map(decimalsOf)).to.deep.equal([2, 2, 2, 2, 3, 4, 2]);
  });

  it('is returned as the number nearest to its decimal notation', () => {
    expect(toNumber(1618, 'EUR')).to.equal(16.18);
    expect(toNumber(1618, 'JPY')).to.equal(1618);
    expect(toNumber(1618, 'KWD')).to.equal(1.618);
    expect(toNumber(-5, 'EUR')).to.equal(-0.05);
    for (let minor = 0; minor < 100_000; minor += 1) expect(String(toNumber(minor, 'EUR'))).to.match(/^\d+(\.\d{1,2})?$/);
  });

  it('is rounded up as a minimum and down as a maximum, never to the nearest', () => {
    expect([10, 10.004, 10.0049, 10.01].map((amount) => atLeast(amount, 'EUR'))).to.deep.equal([1000, 1001, 1001, 1001]);
    expect([10, 9.996, 1234.5, 10.01].map((amount) => atMost(amount, 'EUR'))).to.deep.equal([1000, 999, 123_450, 1001]);
    expect([atMost(1234.5, 'JPY'), atLeast(1234.5, 'JPY'), atMost(1234.4996, 'KWD')]).to.deep.equal([1234, 1235, 1_234_499]);
  });

  it('is read to the nearest minor unit of its decimal notation, without floating-point error', () => {
    // 1.005 × 100 is 100.49999… in floating point.
    expect([1.005, 10.006, 10.004, 0.29].map((amount) => fromNumber(amount, 'EUR'))).to.deep.equal([101, 1001, 1000, 29]);
  });

  it('is read also from a number that is written with an exponent', () => {
    expect(fromNumber(1e21, 'EUR')).to.equal(1e23);
    expect(fromNumber(1e-7, 'EUR')).to.equal(0);
  });

  it('that must be exact is refused with more decimals than the currency has, and beyond safe integers', () => {
    expect([16.18, 0, -0.05].map((amount) => exactMinor(amount, 'EUR'))).to.deep.equal([1618, 0, -5]);
    expect([16.185, 0.001, Number.NaN].map((amount) => exactMinor(amount, 'EUR'))).to.deep.equal([null, null, null]);
    expect([exactMinor(1618, 'JPY'), exactMinor(16.18, 'JPY')]).to.deep.equal([1618, null]);
    expect(exactMinor(Number.MAX_SAFE_INTEGER + 1, 'JPY')).to.equal(null);
  });

  it('is formatted with all of its decimals', () => {
    expect([inWords(3230, 'EUR'), inWords(5, 'JPY'), inWords(-1, 'KWD')]).to.deep.equal(['32.30 EUR', '5 JPY', '-0.001 KWD']);
  });

  it('is multiplied by rates with half-up rounding, above zero and below', () => {
    for (let amount = -60; amount <= 60; amount += 1)
      for (const [numerator, denominator] of [
        [1, 2],
        [1, 3],
        [2, 3],
        [7, 4],
        [0, 5],
        [6, 6],
      ] as const) {
        const halfUp = Math.floor((2 * amount * numerator + denominator) / (2 * denominator));
        expect(fractionOf(amount, numerator, denominator) - halfUp, `${amount} × ${numerator} / ${denominator}`).to.equal(0);
      }
  });

  it('is multiplied exactly where floating point would lose a unit', () => {
    expect(fractionOf(Number.MAX_SAFE_INTEGER, 99_999, 100_000)).to.equal(9_007_109_182_748_444);
  });
});
