import { getMe } from './session.ts';

// Numbers and dates are in the reader's language, amounts in the store's currency, and times in the store's time zone.

const cache = new Map<string, Intl.NumberFormat>();

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = cache.get(key) ?? new Intl.NumberFormat(undefined, options);
  cache.set(key, format);
  return format;
}

export const formatMoney = (amount: number): string => numberFormat({ style: 'currency', currency: getMe().currency }).format(amount);

/** For axes: `€12K`. */
export const formatShortMoney = (amount: number): string =>
  numberFormat({ style: 'currency', currency: getMe().currency, notation: 'compact', maximumFractionDigits: 1 }).format(amount);

export const formatNumber = (value: number): string => numberFormat({}).format(value);

export const formatShortNumber = (value: number): string => numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(value);

/** From a number of percent, as the API has them. */
export const formatPercent = (percent: number): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: 2 }).format(percent / 100);

/** Amounts are rounded to a thousandth, the smallest unit of any currency, so that sums of floats are exact again. */
export const sumOf = <Item>(items: readonly Item[], amountOf: (item: Item) => number): number =>
  Math.round(items.reduce((sum, item) => sum + amountOf(item), 0) * 1000) / 1000;

const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });
const dateTime = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });
const date = dateFormat({ dateStyle: 'medium' });
const shortDay = dateFormat({ day: 'numeric', month: 'short' });
const month = dateFormat({ month: 'short', year: 'numeric' });

/** The API has local times of the store without an offset. Read and written as UTC, they stay the same. */
const asUtc = (text: string): Date => new Date(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`);

/** A narrow column breaks between the date and the time only. */
const holdTogether = (text: string): string => text.replaceAll(' ', '\u00A0');

export const formatDateTime = (text: string | null): string =>
  text === null ? '–' : holdTogether(dateTime.format(asUtc(text))).replace(/,\u00A0(?=[^,]*$)/, ', ');
export const formatDate = (text: string | null): string => (text === null ? '–' : holdTogether(date.format(asUtc(text))));
export const formatShortDay = (seconds: number): string => shortDay.format(seconds * 1000);
export const formatMonth = (seconds: number): string => month.format(seconds * 1000);

export const formatRange = (from: string, to: string): string =>
  from === to ? formatDate(from) : date.formatRange(asUtc(from), asUtc(to));

export const secondsOf = (day: string): number => asUtc(day).getTime() / 1000;

/** The current day in the store's time zone, `2026-10-22`. */
export const today = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: getMe().timezone }).format(new Date());

export function addDays(day: string, days: number): string {
  const moved = asUtc(day);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}
