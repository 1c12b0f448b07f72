import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { WorkerMethods, WorkerRequest, WorkerResponse } from './worker-process.ts';

interface PendingCall {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Calls functions in a child process, which keeps what it has loaded between calls. */
export class WorkerProcess {
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #lastId = 0;
  readonly #pending = new Map<number, PendingCall>();

  constructor(env: NodeJS.ProcessEnv = process.env) {
    this.#env = env;
  }

  /** Starts the process if it does not run: the first time, after `stop`, and after a crash. */
  call<Name extends keyof WorkerMethods>(
    name: Name,
    ...args: Parameters<WorkerMethods[Name]>
  ): Promise<Awaited<ReturnType<WorkerMethods[Name]>>> {
    const child = (this.#child ??= this.#start());
    this.#lastId += 1;
    const request: WorkerRequest = { id: this.#lastId, name, args };
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { resolve: resolve as PendingCall['resolve'], reject });
      child.send(request, (error) => error && this.#abandon(child));
    });
  }

  /** Ends the process, and with it everything that it has loaded. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#abandon(child);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  #start(): ChildProcess {
    // Compilers allocate many short-lived objects: with a larger young generation there is less garbage collection.
    const execArgv = ['--max-semi-space-size=64', '--import', 'tsx'];
    const file = fileURLToPath(new URL('./worker-process.ts', import.meta.url));
    const child = fork(file, { execArgv, env: this.#env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.on('message', (response: WorkerResponse) => {
      const call = this.#pending.get(response.id);
      this.#pending.delete(response.id);
      if ('failure' in response) call?.reject(new Error(response.failure));
      else call?.resolve(response.value);
    });
    child.on('exit', () => this.#abandon(child));
    return child;
  }

  #abandon(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    for (const { reject } of this.#pending.values()) reject(new Error('A process of the loop ended before it answered. Save again.'));
    this.#pending.clear();
  }
}
