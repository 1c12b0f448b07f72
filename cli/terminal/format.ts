import { localDateTime } from '../../domain/dates.ts';
import { decimalsOf, type Minor, toNumber } from '../../domain/money.ts';

/** `1,234,567` */
export const formatCount = (value: number): string => value.toLocaleString('en');

/** `1 payout`, `1,234 payouts` */
export const formatQuantity = (value: number, noun: string): string => `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`;

/** `12,345.60`, with as many decimals as the currency has. */
export function formatAmount(minor: Minor, currency: string): string {
  const decimals = decimalsOf(currency);
  return toNumber(minor, currency).toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** `12,345.60 EUR` */
export const formatMoney = (minor: Minor, currency: string): string => `${formatAmount(minor, currency)} ${currency}`;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** `3 hours ago`; after more than a month, the day in the store's calendar. */
export function formatAge(moment: number | null, now: number, zone: string): string {
  if (moment === null) return 'never';
  const age = now - moment;
  // A moment in the future: the clock was set back, or two machines differ.
  if (age < -minute || age > 31 * day) return localDateTime(moment, zone).slice(0, 10);
  if (age < minute) return 'just now';
  const [unit, name] = age < hour ? [minute, 'minute'] : age < day ? [hour, 'hour'] : [day, 'day'];
  const count = Math.floor(age / unit);
  return `${count} ${name}${count === 1 ? '' : 's'} ago`;
}

export interface ChartSymbols {
  /** From zero to the maximum. */
  levels: readonly string[];
  /** A whole cell of a bar. */
  full: string;
  /** Fractions of a cell, smallest first. */
  parts: readonly string[];
}

export const blockSymbols: ChartSymbols = { levels: [...'▁▂▃▄▅▆▇█'], full: '█', parts: [...'▏▎▍▌▋▊▉'] };
export const asciiSymbols: ChartSymbols = { levels: [...'_.-:=+*#'], full: '#', parts: [] };

/** Two cells for each value, as high as its part of the maximum. Only zero is drawn as zero. */
export function formatSparkline(values: readonly number[], { levels }: ChartSymbols): string {
  const maximum = Math.max(0, ...values);
  const highest = levels.length - 1;
  const heightOf = (value: number): number => (value <= 0 ? 0 : Math.max(1, Math.round((value / maximum) * highest)));
  return values.map((value) => levels[heightOf(value)]?.repeat(2)).join('');
}

/** A bar of at most `cells` cells, as long as the value's part of the maximum. */
export function formatBar(value: number, maximum: number, { full, parts }: ChartSymbols, cells: number): string {
  if (value <= 0 || maximum <= 0) return '';
  const stepsOfCell = parts.length + 1;
  const steps = Math.round((value / maximum) * cells * stepsOfCell);
  const rest = parts[(steps % stepsOfCell) - 1] ?? '';
  return full.repeat(Math.floor(steps / stepsOfCell)) + rest || (parts[0] ?? full);
}

const progressCells = 20;

/** `#########...........  45 %` for 0.45. */
export function formatProgress(part: number, isAscii: boolean): string {
  const done = Math.min(1, Math.max(0, part));
  const [full, empty] = isAscii ? ['#', '.'] : ['█', '░'];
  const whole = Math.floor(done * progressCells);
  return `${full.repeat(whole)}${empty.repeat(progressCells - whole)}  ${String(Math.floor(done * 100)).padStart(3)} %`;
}
