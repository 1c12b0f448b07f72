import type { Survivors } from './accepted.ts';
import type { Judged } from './mutant.ts';

interface Line {
  file: string;
  mutants: number;
  killed: number;
  accepted: number;
  survived: number;
}

const lineOf = (file: string, judged: readonly Judged[], { open, accepted }: Survivors): Line => ({
  file,
  mutants: judged.length,
  killed: judged.filter(({ verdict }) => verdict.kind === 'killed').length,
  accepted: accepted.length,
  survived: open.length,
});

const linesOf = (judged: readonly Judged[], survivors: Survivors): Line[] => {
  const files = [...new Set(judged.map(({ mutant }) => mutant.file))];
  const ofFile = (all: readonly Judged[], file: string): Judged[] => all.filter(({ mutant }) => mutant.file === file);
  return files.map((file) =>
    lineOf(file, ofFile(judged, file), {
      open: ofFile(survivors.open, file),
      accepted: ofFile(survivors.accepted, file),
      outdated: [],
    }),
  );
};

const totalOf = (lines: readonly Line[]): Line => {
  const sum = (of: (line: Line) => number): number => lines.reduce((total, line) => total + of(line), 0);
  return {
    file: 'all',
    mutants: sum(({ mutants }) => mutants),
    killed: sum(({ killed }) => killed),
    accepted: sum(({ accepted }) => accepted),
    survived: sum(({ survived }) => survived),
  };
};

/** Killed of all, the accepted ones included: whoever reads it need not trust anybody's reasons. */
const scoreOf = ({ mutants, killed }: Line): string => (mutants === 0 ? '–' : `${((100 * killed) / mutants).toFixed(1)} %`);

function tableOf(lines: readonly Line[]): string[] {
  const rows = [...lines, totalOf(lines)].map((line) => [
    line.file,
    ...[line.mutants, line.killed, line.accepted, line.survived].map(String),
    scoreOf(line),
  ]);
  return [
    '| file | mutants | killed | accepted | survived | score |',
    '|---|--:|--:|--:|--:|--:|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
}

/** A survivor and what it changes. */
export const told = ({ mutant, before, after, verdict }: Judged): string =>
  [
    `${mutant.file}:${mutant.line} survives${verdict.kind === 'survived' && verdict.unreached ? ', no test comes by' : ''}`,
    ...before.split('\n').map((line) => `  - ${line.trim()}`),
    ...after.split('\n').map((line) => `  + ${line.trim()}`),
  ].join('\n');

export function reportOf(judged: readonly Judged[], survivors: Survivors): string {
  const { open, outdated } = survivors;
  return [...open.map(told), ...outdated, tableOf(linesOf(judged, survivors)).join('\n')].join('\n\n');
}

export const documentOf = (judged: readonly Judged[], survivors: Survivors): object => ({
  files: linesOf(judged, survivors),
  survived: survivors.open.map(({ mutant, before, after, verdict }) => ({
    file: mutant.file,
    line: mutant.line,
    before,
    after,
    ...verdict,
  })),
  outdated: survivors.outdated,
});
