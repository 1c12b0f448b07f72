import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { textFormats, valueFormats } from '../../domain/records/formats.ts';

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** `YYYY-MM-DD` of a day that exists in the Gregorian calendar, years 0001 to 9999. */
export function isCalendarDay(text: string): boolean {
  const [, year, month, day] = dayPattern.exec(text) ?? [];
  if (year === undefined || year === '0000') return false;
  // A day that the month does not have overflows into another month. Date.UTC reads the years 1 to 99 as 1901 to 1999, which have the
  // same leap years.
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCMonth() === Number(month) - 1;
}

/** A misspelt format would otherwise only log a warning, and not be checked. */
function fail(message: unknown): never {
  throw new Error(`The contract cannot be compiled: ${String(message)}`);
}

// Ajv throws what it logs as an error, with a better message.
const logger = { log: fail, warn: fail, error: () => {} };

/** OpenAPI 3.1 schemas are JSON Schema 2020-12. Not strict, because the contract has keywords of its own (`x-…`, `example`). */
export function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger, ...options });
  formatsPlugin.default(ajv);
  for (const [name, { isValid }] of Object.entries(textFormats)) ajv.addFormat(name, isValid);
  // Depends on the store's currency and time zone: domain/records/ checks them.
  for (const name of Object.keys(valueFormats)) ajv.addFormat(name, true);
  return ajv.addFormat('calendar-day', isCalendarDay);
}

const { formats } = createAjv({});

/** Checked at start: an unknown format would otherwise fail with the first request that needs it. */
export const isKnownFormat = (format: string): boolean => Object.hasOwn(formats, format);
