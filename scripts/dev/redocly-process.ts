/** A process that keeps Redocly's linter warm: started once, asked with every save. */
import { answerRequests } from './answering.ts';
import type { LintProblem } from './lint-problems.ts';
import { warmRedocly } from './warm-redocly.ts';

export interface RedoclyProcess {
  lint(): LintReport;
}

export interface LintReport {
  problems: LintProblem[];
  /** What it said instead, when it could not even begin: a mistake in redocly.yaml or in a rule. */
  refusal: string | null;
}

async function lint(): Promise<LintReport> {
  const { ok, stdout, stderr } = await warmRedocly([
    'lint',
    'main',
    '--config',
    'redocly.yaml',
    '--format',
    'json',
    '--max-problems',
    '1000',
  ]);
  const report = stdout.indexOf('{');
  if (report < 0) return { problems: [], refusal: ok ? null : stderr.trim() };
  return { problems: (JSON.parse(stdout.slice(report)) as { problems: LintProblem[] }).problems, refusal: null };
}

answerRequests({ lint });
