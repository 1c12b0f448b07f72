import path from 'node:path';
import type { Problem } from './problem.ts';

/** As Redocly's JSON report has it. */
export interface LintProblem {
  ruleId: string;
  severity: 'error' | 'warn';
  message: string;
  location: { source: { ref: string }; start?: { line: number; col: number } }[];
}

const unreadable = /^Failed to parse: (.*) in "(.*)" \(\d+:\d+\)$/;

/** What is to be mended, once each, and not what merely follows from it. */
export function contractProblems(found: readonly LintProblem[]): Problem[] {
  const broken = found.flatMap(({ message }) => unreadable.exec(message)?.[2] ?? []);
  const isDangling = found.some(({ ruleId }) => ruleId === 'no-unresolved-refs');
  const own = found.filter(({ message }) => {
    if (isDangling && message.startsWith('Example validation errored')) return false;
    return !message.startsWith("Can't resolve $ref") || !broken.some((file) => message.includes(`"${file}"`));
  });
  const problems = own.map(problemOf);
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

function problemOf({ ruleId, message, location: [place] }: LintProblem): Problem {
  const [, reason] = unreadable.exec(message) ?? [];
  return {
    file: place?.source.ref ?? 'openapi/openapi.yaml',
    line: place?.start?.line ?? 1,
    column: place?.start?.col ?? 1,
    sentence: reason === undefined ? message.replaceAll(`${process.cwd()}${path.sep}`, '') : `This is no YAML: ${reason}.`,
    rule: reason === undefined ? ruleId : null,
    causes: [],
  };
}
