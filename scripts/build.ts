/** `npm run build`: compiles the service, the command and the pages into dist/. */
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { computeFingerprint, isBuilt, saveFingerprint } from './build/fingerprint.ts';
import { buildPrograms } from './build/programs.ts';
import { buildWeb } from './build/web.ts';

const command = 'dist/cli/affiliate.js';
const link = 'node_modules/.bin/affiliate';

/** Progress is printed to stderr: `npm run demo -- --json` prints one JSON document to stdout. */
async function build(): Promise<void> {
  const startedMs = performance.now();
  process.stderr.write('Compiling the service, which takes some seconds after a change\n');
  rmSync('dist/cli', { recursive: true, force: true });
  await buildPrograms(['cli/affiliate.ts'], { root: '.', outdir: 'dist' });
  cpSync('generated/openapi.json', 'dist/generated/openapi.json');
  await buildWeb('dist/web');
  chmodSync(command, 0o755);
  process.stderr.write(`Compiled in ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`);
}

// It also runs without a change, with `npm ci`, every demo, and the first `npx affiliate` of newer npm versions.
const fingerprint = computeFingerprint('.');
if (!isBuilt('.', fingerprint)) {
  await build();
  saveFingerprint('.', fingerprint);
}

// `npx affiliate` in the checkout finds this link first. Without it, npx would install the project into its cache.
if (process.platform !== 'win32' && existsSync('node_modules')) {
  mkdirSync('node_modules/.bin', { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(`../../${command}`, link);
}
