import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RedoclyResult, redoclyFolder, removeNoise } from '../contract/redocly.ts';
import { findYamlFailures } from '../contract/yaml-failure.ts';
import type { Problem } from './output.ts';

const program = pathToFileURL(path.join(redoclyFolder, 'lib', 'index.js')).href;
let runs = 0;

/**
 * Runs Redocly's command line inside this process, because its start takes longer than its work: from the second run on its modules are
 * loaded. It has no API for this. The program is a small module that runs when it is imported, so each run imports it under another URL,
 * and its `process.exit` ends the run. Only one run at a time, in a process that itself prints nothing.
 */
export function runRedoclyInProcess(args: string[]): Promise<RedoclyResult> {
  Object.assign(process.env, { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' });
  delete process.env['FORCE_COLOR'];
  const output = { stdout: '', stderr: '' };
  const { argv, exit, once } = process;
  const [writeOut, writeError] = [process.stdout.write, process.stderr.write];
  return new Promise<RedoclyResult>((resolve, reject) => {
    process.argv = [process.execPath, 'redocly', ...args];
    process.stdout.write = captureWrite((text) => (output.stdout += text));
    process.stderr.write = captureWrite((text) => (output.stderr += text));
    process.exit = ((code = 0) => resolve({ ok: code === 0, ...output })) as typeof process.exit;
    // Its last step sets the exit code in a `beforeExit` listener. This process never becomes idle, so the listener is called at once.
    process.once = function callAtOnce(this: NodeJS.Process, event: string, listener: () => void) {
      if (event !== 'beforeExit') return Reflect.apply(once, process, [event, listener]);
      listener();
      return this;
    } as typeof process.once;
    runs += 1;
    import(`${program}?run=${runs}`).catch(reject);
  }).finally(() => {
    Object.assign(process, { argv, exit, once });
    process.stdout.write = writeOut;
    process.stderr.write = writeError;
  });
}

const captureWrite = (capture: (text: string) => void): typeof process.stdout.write =>
  ((text: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
    capture(typeof text === 'string' ? text : Buffer.from(text).toString());
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof callback === 'function') callback();
    return true;
  }) as typeof process.stdout.write;

export interface LintReport {
  problems: Problem[];
  /** What Redocly printed if it could not start: a mistake in redocly.yaml or in a rule. */
  failure: string | null;
}

/** An entry of Redocly's JSON report. */
interface RedoclyProblem {
  ruleId: string;
  message: string;
  location: { source: { ref: string }; start?: { line: number; col: number } }[];
}

const lintArgs = ['lint', 'main', '--config', 'redocly.yaml', '--format', 'json', '--max-problems', '1000'];

export async function lintContract(): Promise<LintReport> {
  const unreadable = findYamlFailures('openapi');
  if (unreadable.length > 0) return { problems: unreadable.map((failure) => ({ ...failure, rule: null, causes: [] })), failure: null };
  const { ok, stdout, stderr } = await runRedoclyInProcess(lintArgs);
  const start = stdout.indexOf('{');
  if (start < 0) return { problems: [], failure: ok ? null : removeNoise(stderr).replaceAll(`${process.cwd()}${path.sep}`, '').trim() };
  const { problems } = JSON.parse(stdout.slice(start)) as { problems: RedoclyProblem[] };
  const converted = removeConsequences(problems).map(convertProblem);
  return { problems: [...new Map(converted.map((problem) => [JSON.stringify(problem), problem])).values()], failure: null };
}

/** Without the problems that only follow from a reference to a missing file. */
function removeConsequences(problems: readonly RedoclyProblem[]): RedoclyProblem[] {
  const hasUnresolved = problems.some(({ ruleId }) => ruleId === 'no-unresolved-refs');
  return problems.filter(({ message }) => !hasUnresolved || !message.startsWith('Example validation errored'));
}

function convertProblem({ ruleId, message, location: [place] }: RedoclyProblem): Problem {
  return {
    file: place?.source.ref ?? 'openapi/openapi.yaml',
    line: place?.start?.line ?? 1,
    column: place?.start?.col ?? 1,
    sentence: message.replaceAll(`${process.cwd()}${path.sep}`, ''),
    rule: ruleId,
    causes: [],
  };
}
