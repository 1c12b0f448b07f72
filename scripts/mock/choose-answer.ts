import type { Answer } from './answers.ts';
import { defaultAnswer } from './answers.ts';
import type { Preferences } from './prefer.ts';

export type Choice = { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly sentence: string };

/** Both preferences together name one answer; a name alone is looked for in every status, the lowest first. */
export function chooseAnswer(answers: readonly Answer[], { code, example }: Preferences): Choice {
  const withCode = code === undefined ? answers : answers.filter(({ status }) => String(status) === code);
  if (withCode.length === 0) return refuse(`code must be one of ${list(answers.map(({ status }) => String(status)))}.`);
  if (example === undefined) return pick(code === undefined ? defaultAnswer(answers) : withCode[0]);
  const named = withCode.filter(({ name }) => name === example);
  if (named.length === 0) return refuse(`example must be one of ${list(withCode.map(({ name }) => name))}.`);
  return pick(named[0]);
}

function pick(answer: Answer | undefined): Choice {
  return answer ? { ok: true, answer } : refuse('the contract has no successful answer here; name one with code.');
}

function refuse(sentence: string): Choice {
  return { ok: false, sentence: `Prefer: ${sentence}` };
}

function list(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}
