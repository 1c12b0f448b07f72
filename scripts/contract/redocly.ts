import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';

export const redoclyFolder = path.dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json'));

// On Node 20 every call prints a box about newer versions, and every failure recommends a file that would silence the rules.
const noise = /^.*([╔║╚].*\n+|--generate-ignore-file.*\n)/gmu;

export const removeNoise = (text: string): string => text.replace(noise, '').trimStart();

export interface RedoclyResult {
  ok: boolean;
  stdout: string;
  stderr: string;
}

export interface RedoclyOptions {
  cwd?: string;
  isColored?: boolean;
  env?: Record<string, string>;
}

/** Runs Redocly's command line in a process of its own, offline, without telemetry and update notices. */
export async function runRedocly(args: string[], options: RedoclyOptions = {}): Promise<RedoclyResult> {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...inherited } = process.env;
  const color = options.isColored ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };
  const env = { ...inherited, ...color, ...options.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const child = spawn(process.execPath, [path.join(redoclyFolder, 'bin', 'cli.js'), ...args], { cwd: options.cwd, env });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { ok: code === 0, stdout: output.stdout, stderr: removeNoise(output.stderr) };
}
