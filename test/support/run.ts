import { shareCompiledCommand } from '../cli/compiled-command.ts';
import { endAll } from './ending.ts';
import { sharePostgres, stopPostgres } from './postgres.ts';

// What mocha calls around a run. `npm test` runs the files in several processes, which end only with the run: a module is loaded once in each
// of them, so a hook outside of every suite would belong to the first file that loads it. Such hooks stand here.

export const mochaHooks = { afterAll: endAll };

async function setUp(this: { isParallelMode(): boolean }): Promise<void> {
  if (!this.isParallelMode()) return;
  process.stdout.write('Starting a PostgreSQL of its own for the tests. They run on it and on SQLite, which takes some minutes.\n');
  shareCompiledCommand();
  await sharePostgres();
}

export const mochaGlobalSetup = setUp;

export const mochaGlobalTeardown = stopPostgres;

// Mocha ends its workers by a signal when they take longer than a second, as they do under coverage. Those that are ending anyway ignore it.
process.once('SIGTERM', () => process.exit(143));
