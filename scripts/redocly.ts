import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

const redoclyPackage = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
const commandLine = path.join(path.dirname(redoclyPackage), 'bin', 'cli.js');

// Redocly greets Node 20 with a box about later versions, on every call. It is true, it is not about the contract, and it hides what is.
const banner = /^\s*╔═+╗\n(?:\s*║.*║\n)+\s*╚═+╝\n+/mu;

export interface RedoclyResult {
  ok: boolean;
  stdout: string;
  stderr: string;
}

/** Runs Redocly's command line, offline and without its own telemetry and update notices. */
export function redocly(args: string[], cwd = process.cwd()): RedoclyResult {
  const run = spawnSync(process.execPath, [commandLine, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
  });
  if (run.error) throw run.error;
  return { ok: run.status === 0, stdout: run.stdout, stderr: run.stderr.replace(banner, '') };
}
