import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findMutants, type Mutant } from './find-mutants.ts';
import { instrument } from './instrument.ts';
import type { Target } from './targets.ts';
import { type RunRequest, TestProcess, type TestRun, type TestRunResult } from './test-process.ts';

export type Verdict =
  | { kind: 'killed'; by: string }
  /** No test fails; `unreached` where no test executes the code. */
  | { kind: 'survived'; unreached: boolean };

export interface MutantResult {
  mutant: Mutant;
  /** The changed lines, as they are and as they would be. */
  before: string;
  after: string;
  verdict: Verdict;
}

const root = path.resolve(import.meta.dirname, '../..');
const notCopied = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage']);

/** A copy of the project in which code may be changed. It is removed when the process exits. */
export function createSandbox(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mutate-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const filter = (source: string): boolean => !/[\\/](node_modules|dist)$/.test(source);
  for (const name of readdirSync(root).filter((entry) => !notCopied.has(entry)))
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true, filter });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

export function changedLines(source: string, { start, end, replacement }: Mutant): { before: string; after: string } {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const to = source.indexOf('\n', end) < 0 ? source.length : source.indexOf('\n', end);
  const after = source.slice(from, start) + replacement + source.slice(end, to);
  return { before: source.slice(from, to).trim(), after: after.trim() };
}

/** Tries every mutant of one file in the sandbox. `onResult` is called after each. */
export async function runMutants(
  sandbox: string,
  target: Target,
  onResult: (result: MutantResult, done: number, total: number) => void,
): Promise<MutantResult[]> {
  const file = path.join(sandbox, target.file);
  const source = readFileSync(file, 'utf8');
  const mutants = findMutants(target.file, source);
  writeFileSync(file, instrument(source, mutants));
  const run = new MutationRun(sandbox, target);
  try {
    await run.measureBaseline();
    const results: MutantResult[] = [];
    for (const mutant of mutants) {
      const result = { mutant, ...changedLines(source, mutant), verdict: await run.verdictOn(mutant.id) };
      results.push(result);
      onResult(result, results.length, mutants.length);
    }
    return results;
  } finally {
    await run.stop();
    writeFileSync(file, source);
  }
}

/** The fastest tests run before the rest. */
const firstRound = 5;

/** The tests of one instrumented file. One process is reused between mutants; whatever it cannot decide runs in a process of its own. */
class MutationRun {
  readonly #sandbox: string;
  readonly #target: Target;
  #reused: TestProcess | undefined;
  #timeoutMs = 600_000;
  #tests: TestRun[] = [];
  #reachedWhileLoading = new Set<number>();

  constructor(sandbox: string, target: Target) {
    this.#sandbox = sandbox;
    this.#target = target;
  }

  /** Runs the tests without a mutant. @throws where one fails. */
  async measureBaseline(): Promise<void> {
    this.#reused = this.#start(null);
    const loaded = await this.#reused.load();
    if (typeof loaded === 'string') throw new Error(`The tests of ${this.#target.file} do not load: ${this.#reused.stderr}`);
    const start = performance.now();
    const result = await this.#reused.run({ mutant: null, titles: null }, this.#timeoutMs);
    const failure = failureOf(result);
    if (typeof result === 'string' || failure !== null)
      throw new Error(
        `A test of ${this.#target.file} fails without any mutant: ${failure}: ${(result as TestRunResult).failed?.message ?? ''}`,
      );
    this.#tests = result.tests.toSorted((one, other) => one.milliseconds - other.milliseconds);
    this.#reachedWhileLoading = new Set(loaded);
    // Generous, so that a busy machine kills no mutant.
    this.#timeoutMs = 20_000 + 4 * (performance.now() - start);
  }

  async verdictOn(mutant: number): Promise<Verdict> {
    if (this.#reachedWhileLoading.has(mutant)) return this.#verdictOfOwnProcess(mutant);
    const titles = this.#tests.filter(({ reached }) => reached.includes(mutant)).map(({ title }) => title);
    if (titles.length === 0) return { kind: 'survived', unreached: true };
    const rounds = titles.length > 2 * firstRound ? [titles.slice(0, firstRound), titles.slice(firstRound)] : [titles];
    for (const round of rounds) {
      const result = await this.#runReused({ mutant, titles: round });
      const by = failureOf(result);
      if (by === null) continue;
      // A test that also fails without the mutant fails because of what an earlier mutant left behind.
      const isByMutant = typeof result === 'string' || (await this.#passesWithoutMutant(result.failed?.test ?? ''));
      return isByMutant ? { kind: 'killed', by } : this.#verdictOfOwnProcess(mutant);
    }
    // The reused process may have cached what the mutant would have changed.
    return this.#verdictOfOwnProcess(mutant);
  }

  async stop(): Promise<void> {
    await this.#reused?.stop();
    this.#reused = undefined;
  }

  #start(mutant: number | null): TestProcess {
    return new TestProcess(this.#sandbox, this.#target.tests, mutant);
  }

  async #runReused(request: RunRequest): Promise<Awaited<ReturnType<TestProcess['run']>>> {
    if (!this.#reused) {
      this.#reused = this.#start(null);
      await this.#reused.load();
    }
    const result = await this.#reused.run(request, this.#timeoutMs);
    if (typeof result === 'string') await this.stop();
    return result;
  }

  async #passesWithoutMutant(title: string): Promise<boolean> {
    const passes = failureOf(await this.#runReused({ mutant: null, titles: [title] })) === null;
    if (!passes) await this.stop();
    return passes;
  }

  /** The mutant is active while the tests load, and all tests of the file run. */
  async #verdictOfOwnProcess(mutant: number): Promise<Verdict> {
    const own = this.#start(mutant);
    try {
      if (typeof (await own.load()) === 'string') return { kind: 'killed', by: 'the tests do not load' };
      const by = failureOf(await own.run({ mutant, titles: null }, this.#timeoutMs));
      return by === null ? { kind: 'survived', unreached: false } : { kind: 'killed', by };
    } finally {
      await own.stop();
    }
  }
}

const failureOf = (result: TestRunResult | 'hung' | 'died'): string | null =>
  typeof result === 'string' ? `the tests ${result}` : (result.failed?.title ?? null);
