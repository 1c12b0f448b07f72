import { AskedProcess } from './asking.ts';
import { contractProblems } from './lint-problems.ts';
import type { Problem } from './problem.ts';
import type { RedoclyProcess } from './redocly-process.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { Generated, TypesProcess } from './types-process.ts';

/** What became of the YAML. The verdict of lint comes later than what follows if it is good. */
export interface ReadContract {
  generated: Generated | null;
  verdict: Promise<Verdict>;
}

export interface Verdict {
  problems: Problem[];
  /** What is wrong that has no line. */
  refusal: string | null;
}

export class ContractReader {
  readonly #redocly = new AskedProcess<RedoclyProcess>('./redocly-process.ts');
  readonly #types: AskedProcess<TypesProcess>;

  constructor(types: AskedProcess<TypesProcess>) {
    this.#types = types;
  }

  /** Lints beside it, in another process: bundling takes a quarter of the time, so that the rest can go on meanwhile. */
  async read(watch: Stopwatch): Promise<ReadContract> {
    const linted = watch.time('lint', this.#redocly.ask('lint'));
    const generated = watch.time('generate', this.#types.ask('generate'));
    const failure = generated.then(
      () => null,
      (error: Error) => error.message,
    );
    const verdict = linted.then(async ({ problems, refusal }) => {
      const found = contractProblems(problems);
      return { problems: found, refusal: refusal ?? (found.length > 0 ? null : await failure) };
    });
    // Somebody waits for it in any case, later.
    verdict.catch(() => {});
    return { generated: await generated.catch(() => null), verdict };
  }

  /** Redocly has loaded our rules and its configuration for good. */
  forgetRules(): Promise<void> {
    return this.#redocly.forget();
  }
}
