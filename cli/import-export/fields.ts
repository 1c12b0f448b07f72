import { isDeepStrictEqual } from 'node:util';
import { offsetAt } from '../../domain/dates.ts';
import type { ExportStore } from '../../domain/exports/store.ts';
import { decimalsOf, exactMinor, type Minor } from '../../domain/money.ts';

/** Needed to read and write dates and amounts. */
export interface StoreLocale {
  zone: string;
  currency: string;
}

/** The message completes a sentence that begins with the name of the field: "must be …". */
export class FieldError extends Error {}

export interface Field<Value> {
  /** The type that the text of a CSV cell is converted to. */
  cell: 'text' | 'number' | 'json';
  isRequired: boolean;
  /** @throws FieldError */
  read(value: unknown, locale: StoreLocale): Value;
}

export type FieldSet = Record<string, Field<unknown>>;
type ValuesOf<Fields extends FieldSet> = { [name in keyof Fields]: Fields[name] extends Field<infer Value> ? Value : never };
export type RawValues = Record<string, unknown>;

/** How one kind of record is read from a file, read from storage, and written to a file. */
export interface RecordFormat<Data, Stored> {
  fields: FieldSet;
  /** @throws FieldError */
  read(raw: RawValues, locale: StoreLocale): Data;
  /** One page of an export: the records whose key is greater than `after`, by ascending key. */
  page(store: ExportStore, after: number, limit: number): Promise<Stored[]>;
  keyOf(record: Stored): number;
  write(record: Stored, locale: StoreLocale): RawValues;
}

/** Undefined for a value that a new record has anyway, so that an export omits it. */
export const omitDefault = <Value>(value: Value, defaultValue: unknown): Value | undefined =>
  value === defaultValue || (typeof value === 'object' && isDeepStrictEqual(value, defaultValue)) ? undefined : value;

/** @throws FieldError for the first invalid field, with its name. Ignores unknown fields. */
export function readFields<Fields extends FieldSet>(fields: Fields, raw: RawValues, locale: StoreLocale): ValuesOf<Fields> {
  const values: RawValues = {};
  for (const name in fields) {
    const field = fields[name] as Field<unknown>;
    const value = raw[name];
    // An empty CSV cell is an absent value. NDJSON follows the same rule.
    if (value !== undefined && value !== null && value !== '') values[name] = readField(name, field, value, locale);
    else if (field.isRequired) throw new FieldError(`${name} is missing.`);
  }
  return values as ValuesOf<Fields>;
}

function readField(name: string, field: Field<unknown>, value: unknown, locale: StoreLocale): unknown {
  try {
    return field.read(value, locale);
  } catch (error) {
    throw error instanceof FieldError ? new FieldError(`${name} ${error.message}.`) : error;
  }
}

export const required = <Value>(cell: Field<Value>['cell'], read: Field<Value>['read']): Field<Value> => ({ cell, isRequired: true, read });

export const optional = <Value>(field: Field<Value>): Field<Value | undefined> => ({ ...field, isRequired: false });

/** NUL and unpaired surrogates, which not every database can store. */
const unstorable = /[\0\p{Surrogate}]/u;
const controls = /[\p{Cc}\u2028\u2029]/u;

export function readText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') throw new FieldError('must be text');
  if (value.length > maxLength) throw new FieldError(`must be at most ${maxLength} characters`);
  if (unstorable.test(value)) throw new FieldError('contains characters that cannot be stored');
  return value;
}

export const text = (maxLength: number): Field<string> => required('text', (value) => readText(value, maxLength));

/** For texts that are printed in headings, mails and tables. */
export const line = (maxLength: number): Field<string> =>
  required('text', (value) => {
    const read = readText(value, maxLength);
    if (read !== read.trim() || controls.test(read)) throw new FieldError('must be on one line, without spaces around it');
    return read;
  });

export const matching = (isValid: (text: string) => boolean, maxLength: number, allowed: string): Field<string> =>
  required('text', (value) => {
    const read = readText(value, maxLength);
    if (!isValid(read)) throw new FieldError(`must be ${allowed}`);
    return read;
  });

export const oneOf = <Value extends string>(allowed: readonly Value[]): Field<Value> =>
  required('text', (value) => {
    if (!allowed.includes(value as Value)) throw new FieldError(`must be one of ${allowed.join(', ')}`);
    return value as Value;
  });

export const whole = (min: number, max: number): Field<number> =>
  required('number', (value) => {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
    throw new FieldError(`must be a whole number from ${min} to ${max}`);
  });

/** New ids continue from the highest, so an id near the largest safe integer would leave none. */
export const id = whole(1, 1_000_000_000_000);

export const money: Field<Minor> = required('number', (value, { currency }) => {
  const minor = typeof value === 'number' && value >= 0 ? exactMinor(value, currency) : null;
  if (minor !== null) return minor;
  throw new FieldError(`must be an amount in ${currency}, zero or more, as a number with at most ${decimalsOf(currency)} decimals`);
});

/** In thousandths of a percent. */
export const percent: Field<number> = required('number', (value) => {
  const thousandths = typeof value === 'number' ? Math.round(value * 1000) : Number.NaN;
  if (thousandths >= 0 && thousandths <= 100_000 && thousandths / 1000 === value) return thousandths;
  throw new FieldError('must be a number of percent from 0 to 100, with at most 3 decimals');
});

const lastMoment = Date.parse('9999-12-30T00:00:00Z');

export const moment: Field<number> = required('text', (value, { zone }) => {
  const read = typeof value === 'string' ? parseMoment(value.trim(), zone) : null;
  if (read !== null && read >= 0 && read <= lastMoment) return read;
  throw new FieldError('must be a date that exists, such as 2026-11-02T09:30:00 (store time) or 2026-11-02T08:30:00Z');
});

export const object: Field<RawValues> = required('json', (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new FieldError('must be a JSON object');
  if (JSON.stringify(value).length > 50_000) throw new FieldError('must not be longer than 50000 characters as JSON');
  return value as RawValues;
});

const format = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?:(:\d{2})(?:(\.\d{1,3})\d*)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Parses a date, in the store's time zone if it has no offset. Null if there is no such date. */
export function parseMoment(text: string, zone: string): number | null {
  const [, day = '', minutes = '00:00', seconds = ':00', fraction = '', offset] = format.exec(text) ?? [];
  const asUtc = Date.parse(`${day}T${minutes}${seconds}${fraction}Z`);
  // Date.parse reads 30 February as 2 March, and 24:00 as the next day.
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(`${day}T${minutes}`)) return null;
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
