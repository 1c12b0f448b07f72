/**
 * npm's `prepare`. In plain JavaScript: npm also runs it for `npx affiliate` in an installation without development packages
 * (`npm prune --omit=dev`), where nothing can be compiled and nothing has to be.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const compiler = 'node_modules/tsx/dist/cli.mjs';

if (existsSync(compiler)) {
  const { status } = spawnSync(process.execPath, [compiler, 'scripts/build.ts'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
