/** A process that keeps Redocly warm: started once, asked with every save. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answerRequests } from './answering.ts';
import type { LintProblem } from './lint-problems.ts';
import { warmRedocly } from './warm-redocly.ts';

export interface RedoclyProcess {
  lint(): LintReport;
  /** The bundle as JSON text. */
  bundle(): string;
}

export interface LintReport {
  problems: LintProblem[];
  /** What it said instead, when it could not even begin: a mistake in redocly.yaml or in a rule. */
  refusal: string | null;
}

process.env['REDOCLY_TELEMETRY'] = 'off';
process.env['REDOCLY_SUPPRESS_UPDATE_NOTICE'] = 'true';
process.env['NO_COLOR'] = '1';
delete process.env['FORCE_COLOR'];

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

async function bundle(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
  try {
    const output = path.join(folder, 'openapi.json');
    const { ok, stdout, stderr } = await warmRedocly(['bundle', 'openapi/openapi.yaml', '--output', output]);
    if (!ok) throw new Error(`The contract could not be bundled.\n${stdout}${stderr}`.trim());
    return readFileSync(output, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

answerRequests({ lint, bundle });
