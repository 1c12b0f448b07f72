import { CommanderError } from 'commander';

/** Something that was asked for and cannot be done. The message is the sentence the operator reads. */
export class Refusal extends Error {}

/** One line for the operator, whatever was thrown. Never a stack: it tells an operator nothing, and may tell a bystander too much. */
export function sentenceOf(error: unknown): string {
  if (error instanceof CommanderError) return ownSentence(error.message);
  const message = error instanceof Error ? error.message : String(error);
  return asSentence(message || 'It failed without saying why.');
}

/** Commander writes "error: unknown option '--logn'" and, on a second line, "(Did you mean --login?)". */
function ownSentence(message: string): string {
  const [problem = '', suggestion] = message.replace(/^error: /, '').split(/\n\(|\)$/);
  const sentence = asSentence(problem.charAt(0).toUpperCase() + problem.slice(1));
  if (suggestion) return `${sentence} ${suggestion}`;
  return problem.startsWith('unknown command') ? `${sentence} affiliate --help lists them.` : sentence;
}

function asSentence(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return /[.?!…]$/.test(line) ? line : `${line}.`;
}
