import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { buildWeb } from '../build/web.ts';
import type { FileContents } from '../generate/stale-files.ts';
import { compile, compileAll, compiledFolder } from './compile.ts';
import { type Problem, printLogLine } from './output.ts';
import type { ServiceRequest, ServiceResponse } from './service-process.ts';

/** Open requests may finish when the service is replaced; a stream that never ends must not hold up the loop. */
const drainMs = 1500;
const webFolder = `${compiledFolder}/web`;

/** The process that serves now, and the next one, which is compiled and loaded while the checks still run. */
export class Service {
  readonly #env: NodeJS.ProcessEnv;
  readonly #onExit: (code: number | null) => void;
  #current: ChildProcess | undefined;
  #next: ChildProcess | undefined;
  #port: string | undefined;
  /** generated/ as it is compiled now. */
  #generated: FileContents;
  /** Whether the compiled files, or the sources of the pages, differ from what is served. */
  #isChanged = false;
  #arePagesChanged = false;

  constructor(env: NodeJS.ProcessEnv, generated: FileContents, onExit: (code: number | null) => void) {
    this.#env = env;
    this.#generated = generated;
    this.#onExit = onExit;
  }

  /** Serves what is on the disk. Returns the URL, or null if it did not start. */
  async start(): Promise<string | null> {
    await compileAll();
    mkdirSync(webFolder, { recursive: true });
    const [, failure] = await Promise.all([buildPages(), this.#loadNext()]);
    if (failure !== null) throw new Error(failure);
    return this.#replace();
  }

  /** Starts the next process, which loads the libraries ahead of time. */
  prepare(): void {
    this.#next ??= this.#fork();
  }

  #fork(): ChildProcess {
    const child = fork(`${compiledFolder}/scripts/dev/service-process.js`, {
      execArgv: ['--enable-source-maps'],
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    if (child.stderr) createInterface({ input: child.stderr }).on('line', printLogLine);
    return child;
  }

  /** Compiles what differs from the service that runs now, and loads it into the next process. */
  async load(changedCode: readonly string[], arePagesChanged: boolean, generated: FileContents): Promise<Problem[]> {
    const regenerated = Object.keys(generated).filter((file) => generated[file] !== this.#generated[file]);
    this.#generated = generated;
    this.#arePagesChanged ||= arePagesChanged || regenerated.includes('generated/client.ts');
    this.#isChanged ||= this.#arePagesChanged || changedCode.length + regenerated.length > 0;
    const problems = await compile([...changedCode, ...regenerated], generated);
    if (!this.#isChanged || problems.length > 0) return problems;
    const failure = await this.#loadNext();
    return failure === null ? [] : [{ file: '', line: 0, column: 0, sentence: failure, rule: null, causes: [] }];
  }

  /** The next save starts with a new process: a process cannot load a file twice. */
  discard(): void {
    if (this.#isChanged) this.#killNext();
    this.prepare();
  }

  /** Replaces the running process by the loaded one, if anything changed. */
  async reload(): Promise<'reloaded' | 'failed' | 'unchanged'> {
    if (!this.#isChanged) return 'unchanged';
    if (this.#arePagesChanged) await buildPages();
    const url = await this.#replace();
    this.#isChanged = url === null;
    this.#arePagesChanged = false;
    return url === null ? 'failed' : 'reloaded';
  }

  async stop(): Promise<void> {
    this.#killNext();
    await this.#stopCurrent();
  }

  /** Returns why the compiled files could not be loaded. */
  async #loadNext(): Promise<string | null> {
    this.prepare();
    const next = this.#next as ChildProcess;
    const responded = Promise.race([once(next, 'message'), once(next, 'exit')]) as Promise<[ServiceResponse | number | null]>;
    send(next, { step: 'load' });
    const [response] = await responded;
    if (typeof response !== 'object' || response === null) return 'The new process ended while it was loading.';
    return response.step === 'failed' ? response.error : null;
  }

  async #replace(): Promise<string | null> {
    await this.#stopCurrent();
    const next = this.#next as ChildProcess;
    this.#next = undefined;
    send(next, { step: 'serve', env: this.#port === undefined ? {} : { PORT: this.#port } });
    const url = await readUrl(next);
    if (url === null) return null;
    this.#port = new URL(url).port || this.#port;
    this.#current = next;
    next.once('exit', (code) => {
      if (this.#current !== next) return;
      this.#current = undefined;
      this.#onExit(code);
    });
    return url;
  }

  #killNext(): void {
    this.#next?.kill('SIGKILL');
    this.#next = undefined;
  }

  async #stopCurrent(): Promise<void> {
    const child = this.#current;
    this.#current = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const timeout = setTimeout(() => child.kill('SIGKILL'), drainMs);
    await exited;
    clearTimeout(timeout);
  }
}

const send = (child: ChildProcess, request: ServiceRequest): void => void child.send(request, () => {});

/** From the first line that `affiliate serve --json` prints; null if the process ends before. */
async function readUrl(child: ChildProcess): Promise<string | null> {
  let output = '';
  const exited = once(child, 'exit').then(() => null);
  const line = new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('\n')) resolve(output);
    });
  });
  const first = await Promise.race([line, exited]);
  return first === null ? null : (JSON.parse(first.slice(0, first.indexOf('\n'))) as { url: string }).url;
}

/** On a mistake the pages stay as they were; esbuild prints it with file and line. */
const buildPages = (): Promise<void> => buildWeb(webFolder).catch(() => undefined);
