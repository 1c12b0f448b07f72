import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** `YYYY-MM-DD` of a day that exists in the Gregorian calendar, years 0001 to 9999. */
export function isCalendarDay(text: string): boolean {
  const [, year, month, day] = dayPattern.exec(text) ?? [];
  if (year === undefined || year === '0000') return false;
  // A day that the month does not have runs over into another month. Date.UTC takes the years 1 to 99 for 1901 to 1999, which have the
  // same leap years.
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCMonth() === Number(month) - 1;
}

/** A misspelt format would otherwise switch its own check off, with no more than a line in the log. */
function refuse(message: unknown): never {
  throw new Error(`The contract cannot be compiled: ${String(message)}`);
}

// What Ajv calls an error it throws as well, with the better message.
const logger = { log: refuse, warn: refuse, error: () => {} };

/** OpenAPI 3.1 schemas are JSON Schema 2020-12. Not strict, because the contract has keywords of its own (`x-…`, `example`). */
export function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger, ...options });
  formatsPlugin.default(ajv);
  return ajv.addFormat('calendar-day', isCalendarDay);
}

const { formats } = createAjv({});

/** A format that nobody knows would be found out with the first request that it concerns. */
export const knowsFormat = (format: string): boolean => Object.hasOwn(formats, format);
