import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Judged } from './mutant.ts';

/** A mutant that nothing kills, and why that is right. It is known by its line, not by the line's number. */
export interface Accepted {
  file: string;
  before: string;
  after: string;
  reason: string;
}

const list = path.join(import.meta.dirname, 'accepted.json');

export const readAccepted = (): Accepted[] => JSON.parse(readFileSync(list, 'utf8')) as Accepted[];

/** Several lines are listed as one. */
const inOneLine = (lines: string): string => lines.replace(/\s+/g, ' ');

const isSame = ({ file, before, after }: Accepted, judged: Judged): boolean =>
  file === judged.mutant.file && before === inOneLine(judged.before) && after === inOneLine(judged.after);

export interface Survivors {
  /** Nobody has said why. */
  open: Judged[];
  accepted: Judged[];
  /** Listed without need, each with what became of it. */
  outdated: string[];
}

export function survivorsOf(judged: readonly Judged[], accepted: readonly Accepted[]): Survivors {
  const survived = judged.filter(({ verdict }) => verdict.kind === 'survived');
  const isAccepted = (one: Judged): boolean => accepted.some((entry) => isSame(entry, one));
  const files = new Set(judged.map(({ mutant }) => mutant.file));
  const outdated = accepted.filter((entry) => files.has(entry.file) && !survived.some((one) => isSame(entry, one)));
  return {
    open: survived.filter((one) => !isAccepted(one)),
    accepted: survived.filter(isAccepted),
    outdated: outdated.map((entry) => `${entry.file}: "${entry.after}" ${fateOf(entry, judged)}; take it out of accepted.json.`),
  };
}

const fateOf = (entry: Accepted, judged: readonly Judged[]): string =>
  judged.some((one) => isSame(entry, one)) ? 'is killed now' : 'does not exist any more';
