import { runRedocly } from '../../scripts/contract/redocly.ts';

export interface LintProblem {
  ruleId: string;
  message: string;
  location: { source: { ref: string }; pointer: string; start: { line: number } }[];
}

/** The configuration without the rules that validate every example, which takes most of the time. */
export const withoutExamples = (config: string): string =>
  config.replace(
    /^rules:$/m,
    'rules:\n  no-invalid-media-type-examples: off\n  no-invalid-schema-examples: off\n  no-invalid-parameter-examples: off',
  );

/** The problems that Redocly finds in each file, in one call. */
export async function lintFiles(files: string[], cwd: string, configFile: string): Promise<LintProblem[][]> {
  const { stdout, stderr } = await runRedocly(['lint', ...files, '--config', configFile, '--format=json', '--max-problems=1000'], { cwd });
  // Redocly prints one JSON document for each file, one straight after the other.
  const reports = JSON.parse(`[${stdout.trim().replaceAll('\n}{\n', '\n},{\n')}]`) as { problems: LintProblem[] }[];
  if (reports.length !== files.length) throw new Error(`Redocly reported on ${reports.length} of ${files.length} files.\n${stderr}`);
  return reports.map(({ problems }) => problems);
}
