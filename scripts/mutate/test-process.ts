import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Order, Outcome } from './orders.ts';

const worker = path.join(import.meta.dirname, 'worker.ts');

/** A load of tests that takes longer than this is taken for one that never ends. */
const longestStart = 120_000;

/** `hung` and `died` are failures that no test could report. */
export type Answer = Outcome | 'hung' | 'died';

/** A process that has loaded the tests of a file. */
export class TestProcess {
  readonly #child: ChildProcess;
  #errors = '';

  constructor(folder: string, tests: readonly string[], mutant: number | null) {
    const env = { ...process.env, TEST_ENGINES: 'sqlite', LOG_LEVEL: 'silent' };
    const args = [mutant === null ? '' : String(mutant), ...tests];
    this.#child = fork(worker, args, { cwd: folder, execArgv: ['--import', 'tsx'], env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#child.stderr?.on('data', (chunk) => {
      this.#errors = (this.#errors + chunk).slice(-4000);
    });
  }

  /** Mutants that are reached while the tests are being loaded: to switch them on afterwards would be too late. */
  async loaded(): Promise<number[] | 'hung' | 'died'> {
    const answer = await this.#answer<{ reachedWhileLoading: number[] }>(longestStart);
    return typeof answer === 'string' ? answer : answer.reachedWhileLoading;
  }

  run(order: Order, longestMilliseconds: number): Promise<Answer> {
    this.#child.send(order);
    return this.#answer<Outcome>(longestMilliseconds);
  }

  get lastWords(): string {
    return this.#errors;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const over = once(this.#child, 'exit');
    // By SIGTERM what the tests have opened goes with it; what hangs in a loop hears nothing.
    this.#child.kill();
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), 2000);
    await over;
    clearTimeout(kill);
  }

  #answer<Message>(longestMilliseconds: number): Promise<Message | 'hung' | 'died'> {
    return new Promise((resolve) => {
      const settle = (answer: Message | 'hung' | 'died'): void => {
        clearTimeout(timer);
        this.#child.off('message', settle as never).off('exit', died);
        resolve(answer);
      };
      const died = (): void => settle('died');
      const timer = setTimeout(() => settle('hung'), longestMilliseconds);
      this.#child.once('message', settle as never).once('exit', died);
    });
  }
}
