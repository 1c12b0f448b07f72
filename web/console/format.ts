import { decimalsOf } from '../../domain/money.ts';
import { getMe } from './session.ts';

// Numbers and dates are in the reader's language, amounts in the store's currency, and times in the store's time zone.

const cache = new Map<string, Intl.NumberFormat>();

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = cache.get(key) ?? new Intl.NumberFormat(undefined, options);
  cache.set(key, format);
  return format;
}

/** With the decimals that the service stores. Those of `Intl` are the ones that people write: none for HUF. */
function moneyFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const { currency } = getMe();
  const decimals = decimalsOf(currency);
  return numberFormat({ style: 'currency', currency, minimumFractionDigits: decimals, maximumFractionDigits: decimals, ...options });
}

export const formatMoney = (amount: number): string => moneyFormat().format(amount);

/** A sentence of the service, with its amounts as the reader writes them. Those before rounding keep all decimals. */
export function formatAmountsIn(text: string): string {
  const { currency } = getMe();
  const { format } = moneyFormat({ maximumFractionDigits: 10 });
  return text.replaceAll(new RegExp(`\\b(\\d+(?:\\.\\d+)?) ${currency}\\b`, 'g'), (_, amount: string) => format(Number(amount)));
}

/** For axes: `€12K`. */
export const formatShortMoney = (amount: number): string =>
  numberFormat({ style: 'currency', currency: getMe().currency, notation: 'compact', maximumFractionDigits: 1 }).format(amount);

export const formatNumber = (value: number): string => numberFormat({}).format(value);

/** `1 payout`, `2 deliveries`. */
export const countOf = (count: number, plural: string): string =>
  `${formatNumber(count)} ${count === 1 ? plural.replace(/ies$/, 'y').replace(/s$/, '') : plural}`;

export const formatShortNumber = (value: number): string => numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(value);

/** From a number of percent, as the API has them: rates have up to three decimals. */
export const formatPercent = (percent: number): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: 3 }).format(percent / 100);

/** Names can have hundreds of characters, for which messages have no room. */
export const shortenName = (name: string): string => (name.length > 40 ? `${name.slice(0, 39).trimEnd()}…` : name);

/** Of amounts, rounded to the smallest unit of the currency, so that sums of floats are exact again. */
export function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  const units = 10 ** decimalsOf(getMe().currency);
  return Math.round(items.reduce((sum, item) => sum + amountOf(item), 0) * units) / units;
}

const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });
const dateTime = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });
const dateTimeOfYear = dateFormat({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const date = dateFormat({ dateStyle: 'medium' });
const shortDay = dateFormat({ day: 'numeric', month: 'short' });
const month = dateFormat({ month: 'short', year: 'numeric' });

/** The API has local times of the store without an offset. Read and written as UTC, they stay the same. */
const asUtc = (text: string): Date => new Date(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`);

/** A narrow column does not break a date. */
const holdTogether = (text: string): string => text.replaceAll(' ', '\u00A0');

/** Without the year if it is the current one. */
export function formatDateTime(text: string | null): string {
  if (text === null) return '–';
  const format = text.slice(0, 4) === today().slice(0, 4) ? dateTimeOfYear : dateTime;
  return holdTogether(format.format(asUtc(text)));
}
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
