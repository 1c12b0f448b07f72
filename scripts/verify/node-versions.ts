/**
 * Part of `npm run prove`: starts the service and the demo, and runs a part of the tests, on other versions of Node. Each version is the npm
 * package `node`, installed in a folder of its own for the time of the run: as a dependency, its `bin` would shadow `node`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const majors = [22, 24];

/** The real commands first, then what depends on Node most: HTTP, streams, crypto and the database drivers. */
const tests = [
  ...['test/cli/serve.test.ts', 'test/cli/demo.test.ts', 'test/cli/import.test.ts'],
  ...['test/db/*.test.ts', 'test/api/session.test.ts', 'test/api/keys.test.ts', 'test/api/payouts-request.test.ts'],
  ...['test/attacks/api4-*.test.ts', 'test/attacks/api8-*.test.ts', 'test/server/webhook-*.test.ts'],
];

const maxMinutes = 20;

/** Null where the package cannot be installed: without a network, or on a platform that it does not have. */
function installNode(major: number, folder: string): string | null {
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const { status } = spawnSync('npm', ['install', ...options, `node@${major}`], { stdio: 'inherit', timeout: 5 * 60_000 });
  const node = path.join(folder, 'node_modules/node/bin/node');
  return status === 0 && spawnSync(node, ['--version']).status === 0 ? node : null;
}

async function runTests(node: string): Promise<boolean> {
  const timeout = maxMinutes * 60_000;
  const child = spawn(node, ['node_modules/mocha/bin/mocha.js', ...tests], { stdio: 'inherit', timeout, killSignal: 'SIGKILL' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}

const results: string[] = [];
for (const major of majors) {
  const folder = mkdtempSync(path.join(tmpdir(), `node-${major}-`));
  try {
    const node = installNode(major, folder);
    const passed = node !== null && (await runTests(node));
    results.push(`Node ${major}: ${node === null ? 'skipped, it could not be installed' : passed ? 'passed' : 'FAILED'}`);
    if (node !== null && !passed) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(results.join(', '));
