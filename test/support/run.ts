import { execFileSync } from 'node:child_process';
import { shareCompiledCommand } from '../cli/compiled-command.ts';
import { shareBuiltWeb } from './built-web.ts';
import { runCleanups } from './cleanup.ts';
import { lowerPasswordCost } from './password-cost.ts';
import { sharePostgres, stopPostgres } from './postgres.ts';

// Root hooks of mocha. `npm test` runs the files in several processes that last for the whole run. A module is loaded once in each of them,
// so a hook outside of every suite would belong to the first file that loads it. Such hooks belong here.

// The proof of equal times needs the cost of production.
if (process.env['PROVE_TIMES'] === undefined) lowerPasswordCost();

export const mochaHooks = { afterAll: runCleanups };

const runs = (kind: string): boolean => process.argv.some((word) => word.endsWith(kind));

async function setUp(this: { isParallelMode(): boolean }): Promise<void> {
  // Journeys start what people start: the compiled command, and a database of their own where they need one.
  if (runs('.journey.ts')) return void execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: 'inherit' });
  if (!this.isParallelMode()) return;
  await shareBuiltWeb();
  // The browser tests need neither the command nor PostgreSQL.
  if (runs('.browser.ts')) return;
  process.stdout.write('Starting a PostgreSQL of its own for the tests. They run on it and on SQLite, which takes some minutes.\n');
  shareCompiledCommand();
  await sharePostgres();
}

export const mochaGlobalSetup = setUp;

export const mochaGlobalTeardown = stopPostgres;

// Mocha sends SIGTERM to workers that take longer than a second to end, as they do under coverage.
process.once('SIGTERM', () => process.exit(143));
