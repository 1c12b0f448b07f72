/** Runs in a child process, in the sandbox: loads the tests once, then runs them on each request, with a mutant or without. */
import Mocha from 'mocha';
import { activationFunction } from './instrument.ts';
import type { RunRequest, TestRun, TestRunResult } from './test-process.ts';

const [initialMutant = '', ...files] = process.argv.slice(2);
let active = initialMutant === '' ? null : Number(initialMutant);
let reached = new Set<number>();

(globalThis as Record<string, unknown>)[activationFunction] = (id: number): boolean => {
  reached.add(id);
  return id === active;
};

function resetReached(): number[] {
  const ids = [...reached];
  reached = new Set();
  return ids;
}

const testsIn = (suite: Mocha.Suite): Mocha.Test[] => [...suite.tests, ...suite.suites.flatMap(testsIn)];

/** The tests that what a test or a hook reaches is attributed to. */
function testsOf(runnable: Mocha.Runnable): Mocha.Test[] {
  if (runnable instanceof Mocha.Test) return [runnable];
  const { currentTest } = (runnable.ctx ?? {}) as { currentTest?: Mocha.Test };
  const test = runnable.title.includes('each" hook') ? currentTest : undefined;
  return test ? [test] : testsIn(runnable.parent as Mocha.Suite);
}

// The base class of all reporters prints nothing.
const mocha = new Mocha({ timeout: 60_000, bail: true, reporter: Mocha.reporters.Base });
mocha.cleanReferencesAfterRun(false);
// Not in mocha's types: a run must not load the files again.
(mocha as unknown as { lazyLoadFiles(enabled: boolean): void }).lazyLoadFiles(true);
for (const file of files) mocha.addFile(file);

function run({ mutant, titles }: RunRequest): Promise<TestRunResult> {
  active = mutant;
  mocha.grep(titles === null ? /(?:)/ : ({ test: (title: string) => titles.includes(title) } as RegExp));
  let failed: TestRunResult['failed'] = null;
  const runs = new Map<string, Omit<TestRun, 'reached'> & { reached: Set<number> }>();
  return new Promise((resolve) => {
    resetReached();
    const runner = mocha.run(() => resolve({ failed, tests: [...runs.values()].map((test) => ({ ...test, reached: [...test.reached] })) }));
    const record = (runnable: Mocha.Runnable): void => {
      const ids = resetReached();
      for (const test of testsOf(runnable)) {
        const title = test.fullTitle();
        const known = runs.get(title) ?? { title, milliseconds: 0, reached: new Set<number>() };
        for (const id of ids) known.reached.add(id);
        if (test === runnable) known.milliseconds = test.duration ?? 0;
        runs.set(title, known);
      }
    };
    runner.on('hook end', record);
    runner.on('test end', record);
    runner.on('fail', (runnable, error: Error) => {
      failed ??= { title: runnable.fullTitle(), test: testsOf(runnable)[0]?.fullTitle() ?? '', message: String(error.message) };
    });
  });
}

process.once('disconnect', () => process.exit());

await mocha.loadFilesAsync();
process.on('message', async (request: RunRequest) => process.send?.(await run(request)));
process.send?.({ reachedWhileLoading: resetReached() });
