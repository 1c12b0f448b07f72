/** An amount in minor units of the store's currency: an integer, always. */
export type Minor = number;

const decimalsByCurrency = new Map<string, number>();

/** The currency's own number of decimals, by ISO 4217: EUR 2, JPY 0, KWD 3. */
export function decimalsOf(currency: string): number {
  let decimals = decimalsByCurrency.get(currency);
  if (decimals === undefined) {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
    decimals = maximumFractionDigits ?? 2;
    decimalsByCurrency.set(currency, decimals);
  }
  return decimals;
}

/** Minor units as the plain JSON number that the contract gives out. The only place where an amount becomes a fraction. */
export const toNumber = (amount: Minor, currency: string): number => amount / 10 ** decimalsOf(currency);
