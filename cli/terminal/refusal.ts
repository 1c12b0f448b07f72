import { ApiError } from '../../domain/errors.ts';

/** Something that was asked for and cannot be done. The message is the sentence the operator reads. */
export class Refusal extends Error {}

/** One line for the operator, whatever was thrown. Never a stack: it tells an operator nothing, and may tell a bystander too much. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return asSentence(message || 'It failed without saying why.');
}

export function asSentence(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return /[.?!…]$/.test(line) ? line : `${line}.`;
}

/** For a promise's `catch`: says where the numbers are to be found of what was not. */
export const pointingTo =
  (place: string) =>
  (error: unknown): never => {
    if (error instanceof ApiError && error.code === 'svc_api_not_found') throw new Refusal(`${sentenceOf(error)} ${place}`);
    throw error;
  };
