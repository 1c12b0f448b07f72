import { decimalsOf, exactMinor, type Minor } from '../../domain/money.ts';
import { momentOf } from './moments.ts';

/** What the values of a file are read by. */
export interface Store {
  zone: string;
  currency: string;
}

/** Says what a value should have been: "must be …". */
export class Fault extends Error {}

/** One field of a kind of lines. A CSV cell is text; `cell` tells what it stands for. */
export interface Field<Value> {
  cell: 'text' | 'number' | 'json';
  isRequired: boolean;
  /** @throws Fault */
  read(value: unknown, store: Store): Value;
}

export type Shape = Record<string, Field<unknown>>;
export type ValuesOf<Fields extends Shape> = { [name in keyof Fields]: Fields[name] extends Field<infer Value> ? Value : never };

/** A value that is not there at all: what CSV cannot tell apart, NDJSON does not either. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

/** @throws Fault for the first field that will not do, naming it. Fields that no such line has are not looked at. */
export function readFields<Fields extends Shape>(fields: Fields, raw: Record<string, unknown>, store: Store): ValuesOf<Fields> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of entriesOf(fields)) {
    const value = raw[name];
    if (!isAbsent(value)) values[name] = readField(name, field, value, store);
    else if (field.isRequired) throw new Fault(`${name} is missing.`);
  }
  return values as ValuesOf<Fields>;
}

const known = new WeakMap<Shape, [string, Field<unknown>][]>();

/** There are six shapes, and lines by the million. */
function entriesOf(fields: Shape): [string, Field<unknown>][] {
  const entries = known.get(fields) ?? Object.entries(fields);
  known.set(fields, entries);
  return entries;
}

function readField(name: string, field: Field<unknown>, value: unknown, store: Store): unknown {
  try {
    return field.read(value, store);
  } catch (error) {
    throw error instanceof Fault ? new Fault(`${name} ${error.message}.`) : error;
  }
}

export const optional = <Value>(field: Field<Value>): Field<Value | undefined> => ({ ...field, isRequired: false });

/** What not every database can hold as text: NUL and halves of characters. */
const unkeepable = /[\0\p{Surrogate}]/u;
const controls = /[\p{Cc}\u2028\u2029]/u;

export function readText(value: unknown, longest: number): string {
  if (typeof value !== 'string') throw new Fault('must be text');
  if (value.length > longest) throw new Fault(`must be at most ${longest} characters`);
  if (unkeepable.test(value)) throw new Fault('holds characters that cannot be kept');
  return value;
}

export const text = (longest: number): Field<string> => ({
  cell: 'text',
  isRequired: true,
  read: (value) => readText(value, longest),
});

/** For what ends up in headings, mails and tables. */
export const line = (longest: number): Field<string> => ({
  ...text(longest),
  read(value) {
    const read = readText(value, longest);
    if (read !== read.trim() || controls.test(read)) throw new Fault('must be on one line, without spaces around it');
    return read;
  },
});

export const matching = (pattern: RegExp, longest: number, allowed: string): Field<string> => ({
  ...text(longest),
  read(value) {
    const read = readText(value, longest);
    if (!pattern.test(read)) throw new Fault(`must be ${allowed}`);
    return read;
  },
});

export const oneOf = <Value extends string>(allowed: readonly Value[]): Field<Value> => ({
  cell: 'text',
  isRequired: true,
  read(value) {
    if (!allowed.includes(value as Value)) throw new Fault(`must be one of ${allowed.join(', ')}`);
    return value as Value;
  },
});

export const whole = (lowest: number, highest: number): Field<number> => ({
  cell: 'number',
  isRequired: true,
  read(value) {
    if (Number.isSafeInteger(value) && (value as number) >= lowest && (value as number) <= highest) return value as number;
    throw new Fault(`must be a whole number from ${lowest} to ${highest}`);
  },
});

/** Ids go on from the highest, so one near the end of the exact numbers would be the last. */
export const id = whole(1, 1_000_000_000_000);

export const money: Field<Minor> = {
  cell: 'number',
  isRequired: true,
  read(value, { currency }) {
    const minor = typeof value === 'number' && value >= 0 ? exactMinor(value, currency) : null;
    if (minor !== null) return minor;
    throw new Fault(`must be an amount in ${currency}, zero or more, as a number with at most ${decimalsOf(currency)} decimals`);
  },
};

/** Whole thousandths of a percent. */
export const percent: Field<number> = {
  cell: 'number',
  isRequired: true,
  read(value) {
    const thousandths = typeof value === 'number' ? Math.round(value * 1000) : Number.NaN;
    if (thousandths >= 0 && thousandths <= 100_000 && thousandths / 1000 === value) return thousandths;
    throw new Fault('must be a number of percent from 0 to 100, with at most 3 decimals');
  },
};

const lastMoment = Date.parse('9999-12-30T00:00:00Z');

export const moment: Field<number> = {
  cell: 'text',
  isRequired: true,
  read(value, { zone }) {
    const read = typeof value === 'string' ? momentOf(value.trim(), zone) : null;
    if (read !== null && read >= 0 && read <= lastMoment) return read;
    throw new Fault('must be a date that exists, such as 2026-11-02T09:30:00 (store time) or 2026-11-02T08:30:00Z');
  },
};

export const object: Field<Record<string, unknown>> = {
  cell: 'json',
  isRequired: true,
  read(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Fault('must be a JSON object');
    if (JSON.stringify(value).length > 50_000) throw new Fault('must not be longer than 50000 characters as JSON');
    return value as Record<string, unknown>;
  },
};
