import { offsetAt } from '../dates.ts';
import { decimalsOf, exactMinor } from '../money.ts';
import { isEmailAddress, isLogin, isWebsite } from '../users/user.ts';

/** Needed to read and write dates and amounts. */
export interface StoreLocale {
  zone: string;
  currency: string;
}

/** The shop's own id of a visitor is not stored, so an export has its hash, with this prefix. */
export const hashedPrefix = 'hashed:';

interface TextFormat {
  /** Applied before the text is validated. */
  normalize?(text: string): string;
  isValid(text: string): boolean;
  /** Completes a sentence that begins with the name of the field. */
  problem: string;
}

const controls = /[\p{Cc}\u2028\u2029]/u;

export const textFormats: Readonly<Record<string, TextFormat>> = {
  login: { isValid: isLogin, problem: 'must be made of letters, digits and any of . _ @ -' },
  'email-address': { isValid: isEmailAddress, problem: 'must be an email address, such as ada@example.com' },
  website: { isValid: isWebsite, problem: 'must be an http or https address' },
  // For texts that are printed in headings, mails and tables.
  'single-line': {
    normalize: (text) => text.trim(),
    isValid: (text) => !controls.test(text),
    problem: 'must be on one line',
  },
  visitor: {
    isValid: (text) => !text.startsWith(hashedPrefix),
    problem: `must not begin with ${hashedPrefix} which marks the hash of a visitor in an export`,
  },
};

/** Shops and forms send names with spaces around them: a text is read as its format has it. */
export const normalizeText = (format: string | undefined, value: unknown): unknown =>
  typeof value === 'string' ? (textFormats[format ?? '']?.normalize?.(value) ?? value) : value;

interface ValueFormat {
  /** Returns the value as the domain has it, or null if it is not valid. */
  read(value: unknown, locale: StoreLocale): number | null;
  problem(locale: StoreLocale): string;
}

/** Formats whose values are converted: amounts to minor units, percentages to thousandths, dates to milliseconds. */
export const valueFormats: Readonly<Record<string, ValueFormat>> = {
  amount: {
    read: (value, { currency }) => (typeof value === 'number' && value >= 0 ? exactMinor(value, currency) : null),
    problem: ({ currency }) => `must be an amount in ${currency}, zero or more, as a number with at most ${decimalsOf(currency)} decimals`,
  },
  percent: {
    read: readPercent,
    problem: () => 'must be a number of percent from 0 to 100, with at most 3 decimals',
  },
  moment: {
    read: (value, { zone }) => (typeof value === 'string' ? parseValidMoment(value.trim(), zone) : null),
    problem: () => 'must be a date that exists, such as 2026-11-02T09:30:00 (store time) or 2026-11-02T08:30:00Z',
  },
};

function readPercent(value: unknown): number | null {
  const thousandths = typeof value === 'number' ? Math.round(value * 1000) : Number.NaN;
  return thousandths >= 0 && thousandths <= 100_000 && thousandths / 1000 === value ? thousandths : null;
}

const lastMoment = Date.parse('9999-12-30T00:00:00Z');

function parseValidMoment(text: string, zone: string): number | null {
  const moment = parseMoment(text, zone);
  return moment !== null && moment >= 0 && moment <= lastMoment ? moment : null;
}

const format = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?:(:\d{2})(?:(\.\d{1,3})\d*)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Parses a date, in the store's time zone if it has no offset. Null if there is no such date. */
export function parseMoment(text: string, zone: string): number | null {
  const [, day = '', minutes = '00:00', seconds = ':00', fraction = '', offset] = format.exec(text) ?? [];
  const asUtc = Date.parse(`${day}T${minutes}${seconds}${fraction}Z`);
  // Date.parse reads 30 February as 2 March, and 24:00 as the next day.
  if (Number.isNaN(asUtc) || new Date(asUtc).getUTCDate() !== Number(day.slice(8))) return null;
  if (offset === undefined) return toMoment(asUtc, zone);
  const shift = offset === 'Z' ? 0 : parseOffset(offset);
  return shift === null ? null : asUtc - shift;
}

function parseOffset(offset: string): number | null {
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (hours > 14 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** In the store's time zone, with the offset: the repeated hour at the end of summer time is ambiguous without it. */
export function formatMoment(moment: number, zone: string): string {
  const offset = offsetAt(moment, zone);
  const local = new Date(moment + offset).toISOString().slice(0, -1).replace('.000', '');
  const minutes = Math.abs(offset) / 60_000;
  const clock = [Math.trunc(minutes / 60), Math.trunc(minutes % 60)].map((part) => String(part).padStart(2, '0')).join(':');
  return `${local}${offset < 0 ? '-' : '+'}${clock}`;
}

const dayMilliseconds = 86_400_000;
const quarterMilliseconds = 900_000;

/** In a repeated hour, the first occurrence. In a skipped hour, the moment at which the clock is set forward. */
function toMoment(asUtc: number, zone: string): number {
  const before = offsetAt(asUtc - dayMilliseconds, zone);
  const after = offsetAt(asUtc + dayMilliseconds, zone);
  if (before === after) return asUtc - before;
  const candidates = [before, after].filter((offset) => offsetAt(asUtc - offset, zone) === offset).map((offset) => asUtc - offset);
  if (candidates.length > 0) return Math.min(...candidates);
  // Clocks change at a quarter of an hour.
  let change = Math.ceil((asUtc - after) / quarterMilliseconds) * quarterMilliseconds;
  while (offsetAt(change, zone) !== after) change += quarterMilliseconds;
  return change;
}
