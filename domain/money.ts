/** An amount in minor units of the store's currency: an integer, always. */
export type Minor = number;

/** ISO 4217, where it is not 2. Not from `Intl`, which has the decimals that people write, and other ones in other versions of Node. */
const decimalsByCurrency: Readonly<Record<string, number>> = {
  ...Object.fromEntries('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0])),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

/** The currency's own number of decimals: EUR 2, JPY 0, KWD 3. */
export const decimalsOf = (currency: string): number =>
  (Object.hasOwn(decimalsByCurrency, currency) ? decimalsByCurrency[currency] : undefined) ?? 2;

/** Minor units as the plain JSON number that the contract gives out. The only place where an amount becomes a fraction. */
export const toNumber = (amount: Minor, currency: string): number => amount / 10 ** decimalsOf(currency);

/** For people: `32.38 EUR`. */
export const inWords = (amount: Minor, currency: string): string =>
  `${toNumber(amount, currency).toFixed(decimalsOf(currency))} ${currency}`;

/** A number in the store's currency as minor units, to the nearest where it has more decimals than the currency. */
export function fromNumber(amount: number, currency: string): Minor {
  const decimals = decimalsOf(currency);
  // Moving the point in the written number is exact where multiplying is not: 1.005 × 100 is 100.49999….
  const moved = Number(`${amount}e${decimals}`);
  return Math.round(Number.isNaN(moved) ? amount * 10 ** decimals : moved);
}

/** A minimum, rounded up to the currency. */
export function atLeast(amount: number, currency: string): Minor {
  const nearest = fromNumber(amount, currency);
  return toNumber(nearest, currency) < amount ? nearest + 1 : nearest;
}

/** A maximum, rounded down to the currency. */
export function atMost(amount: number, currency: string): Minor {
  const nearest = fromNumber(amount, currency);
  return toNumber(nearest, currency) > amount ? nearest - 1 : nearest;
}

/** The same for what must be exact: null for an amount with more decimals than the currency has, or too large. The division back tells. */
export function exactMinor(amount: number, currency: string): Minor | null {
  const minor = Math.round(amount * 10 ** decimalsOf(currency));
  return Number.isSafeInteger(minor) && toNumber(minor, currency) === amount ? minor : null;
}

/** `amount × numerator / denominator`, rounded half up, without ever leaving whole numbers. */
export function fractionOf(amount: Minor, numerator: number, denominator: number): Minor {
  return Number(divideHalfUp(BigInt(amount) * BigInt(numerator), BigInt(denominator)));
}

/** The only rounding of amounts. Half up means towards plus infinity, also below zero. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  const doubled = 2n * numerator + denominator;
  const quotient = doubled / (2n * denominator);
  // BigInt division cuts towards zero.
  return doubled < 0n && doubled % (2n * denominator) !== 0n ? quotient - 1n : quotient;
}
