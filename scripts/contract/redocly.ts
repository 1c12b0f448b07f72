import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';

const redoclyPackage = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
const commandLine = path.join(path.dirname(redoclyPackage), 'bin', 'cli.js');

// Redocly greets Node 20 with a box about later versions, on every call. It is true, it is not about the contract, and it hides what is.
const banner = /^.*[╔║╚].*\n+/gmu;
// And it ends by recommending a file that would silence every rule that fails.
const recommendation = /^.*--generate-ignore-file.*\n/gmu;

export interface RedoclyResult {
  ok: boolean;
  stdout: string;
  stderr: string;
}

/**
 * Runs Redocly's command line, offline and without its own telemetry and update notices. In colour for a person at a terminal only: what a
 * program or a test reads has none.
 */
export function runRedocly(args: string[], cwd = process.cwd(), inColour = false): RedoclyResult {
  const env = environment(inColour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' });
  const run = spawnSync(process.execPath, [commandLine, ...args], { cwd, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, env });
  if (run.error) throw run.error;
  return { ok: run.status === 0, stdout: run.stdout, stderr: withoutNoise(run.stderr) };
}

/** The same, while this process goes on: it may be the one that Redocly talks to. */
export async function redoclyMeanwhile(args: string[], variables: Record<string, string> = {}): Promise<RedoclyResult> {
  const child = spawn(process.execPath, [commandLine, ...args], { env: environment({ NO_COLOR: '1', ...variables }) });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { ok: code === 0, stdout: said.stdout, stderr: withoutNoise(said.stderr) };
}

function environment(variables: Record<string, string>): NodeJS.ProcessEnv {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...env } = process.env;
  return { ...env, ...variables, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
}

const withoutNoise = (text: string): string => text.replace(banner, '').replace(recommendation, '').trimStart();
