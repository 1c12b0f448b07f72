import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer } from './answering.ts';

type Methods = Record<string, (...given: never[]) => unknown>;
interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A process that is started once and asked again and again. */
export class AskedProcess<Known extends { [Name in keyof Known]: Methods[string] }> {
  readonly #file: string;
  #child: ChildProcess | undefined;
  #asked = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor(file: string) {
    this.#file = fileURLToPath(new URL(file, import.meta.url));
  }

  /** Starts it when it does not run: the first time, after `forget`, and after it died. */
  ask<Name extends keyof Known & string>(name: Name, ...given: Parameters<Known[Name]>): Promise<Awaited<ReturnType<Known[Name]>>> {
    const child = (this.#child ??= this.#start());
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      child.send({ id, name, given }, (error) => error && this.#lose(child));
    });
  }

  /** Ends it, and with it everything that it has loaded. */
  async forget(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#lose(child);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  #start(): ChildProcess {
    // Compilers make many objects that live for a moment. With more room for them there is less to tidy up.
    const execArgv = ['--max-semi-space-size=64', '--import', 'tsx'];
    const child = fork(this.#file, { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.on('message', (answer: Answer) => this.#hear(answer));
    child.on('exit', () => this.#lose(child));
    return child;
  }

  #hear(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('failure' in answer) waiting?.reject(new Error(answer.failure));
    else waiting?.resolve(answer.value);
  }

  #lose(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    for (const { reject } of this.#waiting.values()) reject(new ProcessGone());
    this.#waiting.clear();
  }
}

/** It ended before it answered: it was told to, or it died. */
export class ProcessGone extends Error {
  constructor() {
    super('A process of the loop ended before it answered. Save again.');
  }
}
