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
