import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { buildWeb } from './build/web.ts';

const command = 'dist/cli/affiliate.js';
const link = 'node_modules/.bin/affiliate';

// On standard error: `npm run demo -- --json` prints one document on the other.
const began = performance.now();
process.stderr.write('Compiling the service, which takes some seconds after a change\n');

// Incremental, because it runs more often than anything changes: with `npm ci`, with every demo, and with the first `npx affiliate`, for which
// newer versions of npm prepare the project once more.
const compiled = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (compiled.status !== 0) process.exit(compiled.status ?? 1);

cpSync('generated/openapi.json', 'dist/generated/openapi.json');
await buildWeb('dist/web');
chmodSync(command, 0o755);
process.stderr.write(`Compiled in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);

// `npx affiliate` inside the checkout: where npx looks for the link first, it need not install the project into a cache of its own.
if (process.platform !== 'win32' && existsSync('node_modules')) {
  mkdirSync('node_modules/.bin', { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(`../../${command}`, link);
}
