import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MutantResult } from './run-mutants.ts';

/** A mutant that no test can kill, and why. Matched by its lines, not by their numbers; several lines are listed as one. */
interface AcceptedMutant {
  file: string;
  before: string;
  after: string;
  reason: string;
}

export const readAccepted = (): AcceptedMutant[] =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'accepted.json'), 'utf8')) as AcceptedMutant[];

export interface Survivors {
  /** Survivors that accepted.json does not list. */
  open: MutantResult[];
  accepted: MutantResult[];
  /** Entries of accepted.json that match no survivor, as sentences. */
  outdated: string[];
}

const joinLines = (lines: string): string => lines.replace(/\s+/g, ' ');

export function classifySurvivors(results: readonly MutantResult[], accepted: readonly AcceptedMutant[]): Survivors {
  const matches = (entry: AcceptedMutant, { mutant, before, after }: MutantResult): boolean =>
    entry.file === mutant.file && entry.before === joinLines(before) && entry.after === joinLines(after);
  const survived = results.filter(({ verdict }) => verdict.kind === 'survived');
  const isAccepted = (result: MutantResult): boolean => accepted.some((entry) => matches(entry, result));
  const files = new Set(results.map(({ mutant }) => mutant.file));
  const outdated = accepted.filter((entry) => files.has(entry.file) && !survived.some((result) => matches(entry, result)));
  const reasonOf = (entry: AcceptedMutant): string =>
    results.some((result) => matches(entry, result)) ? 'is killed now' : 'does not exist any more';
  return {
    open: survived.filter((result) => !isAccepted(result)),
    accepted: survived.filter(isAccepted),
    outdated: outdated.map((entry) => `${entry.file}: "${entry.after}" ${reasonOf(entry)}; remove it from accepted.json.`),
  };
}

interface FileCounts {
  file: string;
  mutants: number;
  killed: number;
  accepted: number;
  survived: number;
}

const countsOf = (file: string, results: readonly MutantResult[], { open, accepted }: Survivors): FileCounts => ({
  file,
  mutants: results.length,
  killed: results.filter(({ verdict }) => verdict.kind === 'killed').length,
  accepted: accepted.length,
  survived: open.length,
});

function countByFile(results: readonly MutantResult[], survivors: Survivors): FileCounts[] {
  const files = [...new Set(results.map(({ mutant }) => mutant.file))];
  return files.map((file) => {
    const inFile = (all: readonly MutantResult[]): MutantResult[] => all.filter(({ mutant }) => mutant.file === file);
    return countsOf(file, inFile(results), { ...survivors, open: inFile(survivors.open), accepted: inFile(survivors.accepted) });
  });
}

/** Accepted mutants count as survivors here, so the score does not depend on the reasons. */
function rowOf({ file, mutants, killed, accepted, survived }: FileCounts): string {
  const score = mutants === 0 ? '–' : `${((100 * killed) / mutants).toFixed(1)} %`;
  return `| ${[file, mutants, killed, accepted, survived, score].join(' | ')} |`;
}

export const describeSurvivor = ({ mutant, before, after, verdict }: MutantResult): string =>
  [
    `${mutant.file}:${mutant.line} survives${verdict.kind === 'survived' && verdict.unreached ? ', no test executes it' : ''}`,
    ...before.split('\n').map((line) => `  - ${line.trim()}`),
    ...after.split('\n').map((line) => `  + ${line.trim()}`),
  ].join('\n');

export function formatReport(results: readonly MutantResult[], survivors: Survivors): string {
  const counts = [...countByFile(results, survivors), countsOf('all', results, survivors)];
  const head = ['| file | mutants | killed | accepted | survived | score |', '|---|--:|--:|--:|--:|--:|'];
  return [...survivors.open.map(describeSurvivor), ...survivors.outdated, [...head, ...counts.map(rowOf)].join('\n')].join('\n\n');
}

export const jsonReport = (results: readonly MutantResult[], survivors: Survivors): object => ({
  files: countByFile(results, survivors),
  survived: survivors.open.map(({ mutant: { file, line }, before, after, verdict }) => ({ file, line, before, after, ...verdict })),
  outdated: survivors.outdated,
});
