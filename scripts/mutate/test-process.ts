import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const worker = path.join(import.meta.dirname, 'worker.ts');
const loadTimeoutMs = 120_000;

/** Sent to the worker. Null stands for no mutant, and for all tests. */
export interface RunRequest {
  mutant: number | null;
  titles: string[] | null;
}

export interface TestRunResult {
  /** The first failure, in a test or a hook, and the test that it belongs to. */
  failed: { title: string; test: string; message: string } | null;
  tests: TestRun[];
}

export interface TestRun {
  title: string;
  milliseconds: number;
  /** Mutants whose code the test executed. */
  reached: number[];
}

/** Failures that no test could report. */
type Crash = 'hung' | 'died';

/** A process that has loaded the tests of a file and runs them on request. */
export class TestProcess {
  readonly #child: ChildProcess;
  #stderr = '';

  constructor(folder: string, tests: readonly string[], mutant: number | null) {
    const env = { ...process.env, TEST_ENGINES: 'sqlite', LOG_LEVEL: 'silent' };
    const args = [mutant === null ? '' : String(mutant), ...tests];
    this.#child = fork(worker, args, { cwd: folder, execArgv: ['--import', 'tsx'], env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#child.stderr?.on('data', (chunk) => {
      this.#stderr = (this.#stderr + chunk).slice(-4000);
    });
  }

  /** Resolves to the mutants that are executed while the tests load: these must be active from the start. */
  async load(): Promise<number[] | Crash> {
    const message = await this.#message<{ reachedWhileLoading: number[] }>(loadTimeoutMs);
    return typeof message === 'string' ? message : message.reachedWhileLoading;
  }

  run(request: RunRequest, timeoutMs: number): Promise<TestRunResult | Crash> {
    this.#child.send(request);
    return this.#message<TestRunResult>(timeoutMs);
  }

  get stderr(): string {
    return this.#stderr;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    // SIGTERM lets the tests close what they opened; a process that hangs in a loop does not receive it.
    this.#child.kill();
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), 2000);
    await exited;
    clearTimeout(kill);
  }

  #message<Message>(timeoutMs: number): Promise<Message | Crash> {
    return new Promise((resolve) => {
      const settle = (message: Message | Crash): void => {
        clearTimeout(timer);
        this.#child.off('message', settle as never).off('exit', onExit);
        resolve(message);
      };
      const onExit = (): void => settle('died');
      const timer = setTimeout(() => settle('hung'), timeoutMs);
      this.#child.once('message', settle as never).once('exit', onExit);
    });
  }
}
