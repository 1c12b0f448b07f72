import { mutantsOf } from './find-mutants.ts';
import { withSwitches } from './instrument.ts';
import { type Judged, linesOf, type Mutant, type Verdict } from './mutant.ts';
import type { TestRun } from './orders.ts';
import type { Sandbox } from './sandbox.ts';
import type { Subject } from './targets.ts';
import { type Answer, TestProcess } from './test-process.ts';

/** How the tests of a file fare with the code as it is. */
interface Baseline {
  tests: TestRun[];
  milliseconds: number;
  reachedWhileLoading: ReadonlySet<number>;
}

/** So many of the fastest tests are asked before all that come by. */
const askedFirst = 5;

/** Tries every mutant of one file. */
export class Judge {
  readonly #sandbox: Sandbox;
  readonly #subject: Subject;
  #warm: TestProcess | undefined;

  constructor(sandbox: Sandbox, subject: Subject) {
    this.#sandbox = sandbox;
    this.#subject = subject;
  }

  /** `watch` is told of each as soon as it is judged. */
  async judge(watch: (judged: Judged, done: number, of: number) => void): Promise<Judged[]> {
    const { file } = this.#subject;
    const source = this.#sandbox.read(file);
    const mutants = mutantsOf(file, source);
    this.#sandbox.write(file, withSwitches(source, mutants));
    try {
      const baseline = await this.#baseline();
      const judged: Judged[] = [];
      for (const mutant of mutants) {
        const one = { mutant, ...linesOf(source, mutant), verdict: await this.#verdict(mutant, baseline) };
        judged.push(one);
        watch(one, judged.length, mutants.length);
      }
      return judged;
    } finally {
      await this.#warm?.end();
      this.#sandbox.write(file, source);
    }
  }

  async #baseline(): Promise<Baseline> {
    this.#warm = this.#start(null);
    const loaded = await this.#warm.loaded();
    if (typeof loaded === 'string') throw new Error(`The tests of ${this.#subject.file} do not load: ${this.#warm.lastWords}`);
    const start = performance.now();
    const outcome = await this.#warm.run({ mutant: null, titles: null }, 600_000);
    if (typeof outcome === 'string') throw new Error(`The tests of ${this.#subject.file} ${outcome} without any mutant.`);
    if (outcome.failed)
      throw new Error(`A test of ${this.#subject.file} fails without any mutant: ${outcome.failed.title}: ${outcome.failed.message}`);
    return { tests: outcome.tests, milliseconds: performance.now() - start, reachedWhileLoading: new Set(loaded) };
  }

  async #verdict(mutant: Mutant, baseline: Baseline): Promise<Verdict> {
    if (baseline.reachedWhileLoading.has(mutant.id)) return this.#afresh(mutant, baseline);
    const tests = baseline.tests.filter(({ reached }) => reached.includes(mutant.id));
    if (tests.length === 0) return { kind: 'survived', unreached: true };
    for (const titles of inRounds(tests)) {
      const answer = await this.#tried(mutant, titles, baseline);
      const by = failureIn(answer);
      if (by === null) continue;
      // Only what passes without the mutant is its doing; else an earlier one has left something behind, and a new process decides.
      const isItsDoing = typeof answer === 'string' || (await this.#passesWithout(answer, baseline));
      return isItsDoing ? { kind: 'killed', by } : this.#afresh(mutant, baseline);
    }
    // It survived in a process that may have remembered what it would have changed.
    return this.#afresh(mutant, baseline);
  }

  async #tried(mutant: Mutant, titles: string[], baseline: Baseline): Promise<Answer> {
    const warm = await this.#warmed();
    const answer = await warm.run({ mutant: mutant.id, titles }, longest(baseline));
    if (typeof answer === 'string') await this.#cool();
    return answer;
  }

  async #passesWithout({ failed }: Exclude<Answer, string>, baseline: Baseline): Promise<boolean> {
    const warm = await this.#warmed();
    const answer = await warm.run({ mutant: null, titles: [failed?.test ?? ''] }, longest(baseline));
    const passes = failureIn(answer) === null;
    if (!passes) await this.#cool();
    return passes;
  }

  /** In a process of its own, with the mutant on from the start and all tests of the file. */
  async #afresh({ id }: Mutant, baseline: Baseline): Promise<Verdict> {
    const own = this.#start(id);
    try {
      const loaded = await own.loaded();
      if (typeof loaded === 'string') return { kind: 'killed', by: 'the tests do not even load' };
      const by = failureIn(await own.run({ mutant: id, titles: null }, longest(baseline)));
      return by === null ? { kind: 'survived', unreached: false } : { kind: 'killed', by };
    } finally {
      await own.end();
    }
  }

  async #warmed(): Promise<TestProcess> {
    if (this.#warm) return this.#warm;
    this.#warm = this.#start(null);
    await this.#warm.loaded();
    return this.#warm;
  }

  async #cool(): Promise<void> {
    await this.#warm?.end();
    this.#warm = undefined;
  }

  #start(mutant: number | null): TestProcess {
    return new TestProcess(this.#sandbox.folder, this.#subject.tests, mutant);
  }
}

/** Far more than it takes without a mutant, also on a machine that is busy with other things. */
const longest = ({ milliseconds }: Baseline): number => 20_000 + 4 * milliseconds;

function failureIn(answer: Answer): string | null {
  if (typeof answer === 'string') return `the tests ${answer}`;
  return answer.failed?.title ?? null;
}

function inRounds(tests: readonly TestRun[]): string[][] {
  const titles = tests.toSorted((one, other) => one.milliseconds - other.milliseconds).map(({ title }) => title);
  return titles.length > 2 * askedFirst ? [titles.slice(0, askedFirst), titles.slice(askedFirst)] : [titles];
}
