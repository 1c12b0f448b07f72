/** Runs in a process of its own, in the sandbox: loads the tests once, then runs them as often as it is told, with a mutant or without. */
import Mocha from 'mocha';
import { asked } from './instrument.ts';
import type { Order, Outcome } from './orders.ts';

const [mutantFromTheStart = '', ...files] = process.argv.slice(2);
let active = mutantFromTheStart === '' ? null : Number(mutantFromTheStart);
let reached = new Set<number>();

(globalThis as Record<string, unknown>)[asked] = (id: number): boolean => {
  reached.add(id);
  return id === active;
};

const takeReached = (): number[] => {
  const taken = [...reached];
  reached = new Set();
  return taken;
};

const testsUnder = (suite: Mocha.Suite): Mocha.Test[] => [...suite.tests, ...suite.suites.flatMap(testsUnder)];

/** Whose doing it is what a test or a hook reaches. */
function testsOf(runnable: Mocha.Runnable): Mocha.Test[] {
  if (runnable instanceof Mocha.Test) return [runnable];
  const { currentTest } = (runnable.ctx ?? {}) as { currentTest?: Mocha.Test };
  const ofEach = runnable.title.includes('each" hook') ? currentTest : undefined;
  return ofEach ? [ofEach] : testsUnder(runnable.parent as Mocha.Suite);
}

/** The types of mocha do not know this one: a run must not load the files again. */
type Lazy = { lazyLoadFiles(enabled: boolean): void };

// The base of all reporters says nothing.
const mocha = new Mocha({ timeout: 60_000, bail: true, reporter: Mocha.reporters.Base });
mocha.cleanReferencesAfterRun(false);
(mocha as unknown as Lazy).lazyLoadFiles(true);
for (const file of files) mocha.addFile(file);

function run({ mutant, titles }: Order): Promise<Outcome> {
  active = mutant;
  mocha.grep(titles === null ? /(?:)/ : ({ test: (title: string) => titles.includes(title) } as RegExp));
  const outcome: Outcome = { failed: null, tests: [] };
  const found = new Map<string, { milliseconds: number; reached: Set<number> }>();
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      outcome.tests = [...found].map(([title, test]) => ({ title, milliseconds: test.milliseconds, reached: [...test.reached] }));
      resolve(outcome);
    });
    const note = (runnable: Mocha.Runnable): void => {
      const ids = takeReached();
      for (const test of testsOf(runnable)) {
        const known = found.get(test.fullTitle()) ?? { milliseconds: 0, reached: new Set<number>() };
        for (const id of ids) known.reached.add(id);
        if (test === runnable) known.milliseconds = test.duration ?? 0;
        found.set(test.fullTitle(), known);
      }
    };
    takeReached();
    runner.on('hook end', note);
    runner.on('test end', note);
    runner.on('fail', (runnable, error: Error) => {
      outcome.failed ??= { title: runnable.fullTitle(), test: testsOf(runnable)[0]?.fullTitle() ?? '', message: String(error.message) };
    });
  });
}

// Nobody is left to report to.
process.once('disconnect', () => process.exit());

await mocha.loadFilesAsync();
process.on('message', async (order: Order) => process.send?.(await run(order)));
process.send?.({ reachedWhileLoading: takeReached() });
