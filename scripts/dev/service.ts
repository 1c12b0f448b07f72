import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { compiledFolder } from './compile.ts';
import type { ServiceAnswer, ServiceRequest } from './service-process.ts';

/** Requests that are open when the service is replaced may end; a stream that never does may not hold up the loop. */
const drainMs = 1500;

/** The service that answers now, and the process that will take its place. */
export class Service {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #ended: (code: number | null) => void;
  #current: ChildProcess | undefined;
  #next: ChildProcess | undefined;
  #port: string | undefined;

  constructor(environment: NodeJS.ProcessEnv, ended: (code: number | null) => void) {
    this.#environment = environment;
    this.#ended = ended;
  }

  /** Loads libraries ahead of time, while nobody waits. */
  prepare(): void {
    this.#next ??= fork(`${compiledFolder}/scripts/dev/service-process.js`, {
      execArgv: ['--enable-source-maps'],
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
  }

  /** Loads the compiled files into the next process; says why it cannot. */
  async load(): Promise<string | null> {
    this.prepare();
    const next = this.#next as ChildProcess;
    const answered = Promise.race([once(next, 'message'), once(next, 'exit')]) as Promise<[ServiceAnswer | number | null]>;
    ask(next, { step: 'load' });
    const [answer] = await answered;
    if (typeof answer !== 'object' || answer === null) return 'The new process ended while it was loading.';
    return answer.step === 'failed' ? answer.sentence : null;
  }

  /** What was loaded is not wanted: a process cannot load a file twice. */
  discard(): void {
    this.#next?.kill('SIGKILL');
    this.#next = undefined;
  }

  /** Lets the loaded process take over, and gives its address; null when it did not start. */
  async replace(): Promise<string | null> {
    await this.#stop();
    const next = this.#next as ChildProcess;
    this.#next = undefined;
    ask(next, { step: 'serve', variables: this.#port === undefined ? {} : { PORT: this.#port } });
    const url = await addressOf(next);
    if (url === null) return null;
    this.#port = new URL(url).port || this.#port;
    this.#current = next;
    next.once('exit', (code) => {
      if (this.#current !== next) return;
      this.#current = undefined;
      this.#ended(code);
    });
    return url;
  }

  async end(): Promise<void> {
    this.discard();
    await this.#stop();
  }

  async #stop(): Promise<void> {
    const child = this.#current;
    this.#current = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), drainMs);
    await gone;
    clearTimeout(patience);
  }
}

const ask = (child: ChildProcess, request: ServiceRequest): void => void child.send(request, () => {});

/** `affiliate serve --json` says it in its first line. */
async function addressOf(child: ChildProcess): Promise<string | null> {
  let said = '';
  const gone = once(child, 'exit').then(() => null);
  const line = new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('\n')) resolve(said);
    });
  });
  const first = await Promise.race([line, gone]);
  return first === null ? null : (JSON.parse(first.slice(0, first.indexOf('\n'))) as { url: string }).url;
}
