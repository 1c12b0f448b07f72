import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { ApiError } from '../../domain/errors.ts';
import { userName } from '../../server/configuration.ts';

/** An expected failure. Its message is the sentence that the operator reads. */
export class CommandError extends Error {}

/** One line for any thrown value. Never a stack: it does not help an operator, and may show too much to others. */
export const formatError = (error: unknown): string =>
  nameCommands(toSentence((error instanceof Error ? error.message : String(error)) || 'It failed without an error message.'));

const commands: readonly (readonly [operation: RegExp, command: string])[] = [
  [/POST \/payout-batches\/(\d+)\/status/, 'affiliate payout batch paid $1, affiliate payout batch cancel $1'],
  [/GET \/payout-batches\/(\d+)/, 'affiliate payout batch show $1'],
];

/** Sentences of the domain name the operation to call. On a terminal its command stands behind it. */
const nameCommands = (sentence: string): string =>
  commands.reduce((text, [operation, command]) => text.replace(operation, `$& (${command})`), sentence);

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

/** The result of a command: JSON for scripts, text for people. */
export interface CommandResult {
  json: unknown;
  text: string;
  /** Why the command exits with 1 although it has a result. */
  failure?: string;
}

export interface OutputOptions {
  json?: true;
}

/** Commander's action for a command with one result. Only this writes to standard output, so `--json` prints exactly one document. */
export const printResult =
  <Args extends unknown[]>(run: (...args: Args) => Promise<CommandResult>) =>
  async (...args: [...Args, Command]): Promise<void> => {
    const command = args.at(-1) as Command;
    const { json, text, failure } = await run(...(args.slice(0, -1) as Args));
    process.stdout.write(`${command.opts<OutputOptions>().json ? JSON.stringify(json, null, 2) : text}\n`);
    if (failure !== undefined) throw new CommandError(failure);
  };

/** The absolute path of a file to write. Checked before the work begins; the system's own errors suggest no remedy. */
export function resolveOutputFile(name: string): string {
  if (name === '') throw new CommandError('The file name is empty. Name the file to write.');
  const file = path.resolve(name);
  const folder = path.dirname(file);
  if (!isFolder(folder)) throw new CommandError(`There is no folder ${folder}. Create it, or name a file in another one.`);
  if (isFolder(file)) throw new CommandError(`${file} is a folder. Name a file in it.`);
  if (!isWritable(folder)) throw new CommandError(`This user may not write to the folder ${folder}. Name a file in another one.`);
  return file;
}

/** Refuses a file that cannot be read, before the work begins. `instead` says what to name. */
export function refuseUnreadable(file: string, instead: string): void {
  const refused = `${userName()} may not read ${file}. Change its owner, or copy it to another folder. ${instead}`;
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) throw new CommandError(`There is no file ${file}. ${instead}`);
    if (found.isDirectory()) throw new CommandError(`${file} is a folder. ${instead}`);
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(refused);
  }
}

const isFolder = (name: string): boolean => existsSync(name) && statSync(name).isDirectory();

export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `cleanUp` on Ctrl-C, then ends the process by the same signal, which shells rely on. Returns a function that removes the handler. */
export function onInterrupt(cleanUp: () => void): () => void {
  const release = (): void => {
    for (const signal of interrupts) process.off(signal, handle);
  };
  const handle = (signal: NodeJS.Signals): void => {
    release();
    cleanUp();
    // Other handlers run first: the last one ends the process.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  for (const signal of interrupts) process.on(signal, handle);
  return release;
}
