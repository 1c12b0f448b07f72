import { decimalsOf, type Minor, toNumber } from '../../domain/money.ts';

/** `1,234,567` */
export const counted = (value: number): string => value.toLocaleString('en');

/** `12,345.60`, with as many decimals as the currency has. */
export function amount(minor: Minor, currency: string): string {
  const decimals = decimalsOf(currency);
  return toNumber(minor, currency).toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** `12,345.60 EUR` */
export const money = (minor: Minor, currency: string): string => `${amount(minor, currency)} ${currency}`;
