import { ApiError } from '../../domain/errors.ts';

/** An expected failure. Its message is the sentence that the operator reads. */
export class CommandError extends Error {}

/** One line for any thrown value. Never a stack: it does not help an operator, and may show too much to others. */
export const formatError = (error: unknown): string =>
  toSentence((error instanceof Error ? error.message : String(error)) || 'It failed without an error message.');

export function toSentence(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return /[.?!…]$/.test(line) ? line : `${line}.`;
}

/** For a promise's `catch`: adds a hint to "not found" errors, where the valid ids are listed. */
export const addHintToNotFound =
  (hint: string) =>
  (error: unknown): never => {
    if (error instanceof ApiError && error.code === 'svc_api_not_found') throw new CommandError(`${formatError(error)} ${hint}`);
    throw error;
  };

/** A parser for commander's options: a whole number within limits. */
export const wholeNumber =
  (option: string, min: number, max: number) =>
  (value: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new CommandError(`${option} is "${value}". It must be a whole number from ${min} to ${max}.`);
  };

/** A parser for commander's arguments: the id of a record, with or without the prefix. The hint says where ids are listed. */
export const recordId =
  (record: string, hint: string, prefix = '') =>
  (value: string): number => {
    const digits = value.startsWith(prefix) ? value.slice(prefix.length) : value;
    const id = /^[1-9]\d*$/.test(digits) ? Number(digits) : Number.NaN;
    if (Number.isSafeInteger(id)) return id;
    throw new CommandError(`"${value}" is not the id of a ${record}. ${hint}`);
  };

/** A parser for commander's options: a day that exists. */
export const calendarDay =
  (option: string) =>
  (value: string): string => {
    const moment = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
    // Date.parse reads 30 February as 2 March.
    if (!Number.isNaN(moment) && new Date(moment).toISOString().startsWith(value)) return value;
    throw new CommandError(`${option} is "${value}". It must be a day that exists, as YYYY-MM-DD.`);
  };

/** A parser for names, which are printed in mails and tables. */
export const singleLine =
  (what: string, maxLength: number) =>
  (text: string): string => {
    if (text.trim() !== '' && text.length <= maxLength && !/[\p{Cc}\u2028\u2029]/u.test(text)) return text;
    throw new CommandError(`The ${what} must be 1 to ${maxLength} characters on one line.`);
  };
