import { spawnSync } from 'node:child_process';
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
export function redocly(args: string[], cwd = process.cwd(), inColour = false): RedoclyResult {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...env } = process.env;
  const run = spawnSync(process.execPath, [commandLine, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: {
      ...env,
      ...(inColour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
  });
  if (run.error) throw run.error;
  return { ok: run.status === 0, stdout: run.stdout, stderr: run.stderr.replace(banner, '').replace(recommendation, '').trimStart() };
}
