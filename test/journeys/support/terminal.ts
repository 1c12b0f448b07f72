import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

/** Those of the shell that runs the journeys would change what a command does. */
const { PATH, HOME, LANG = 'C.UTF-8' } = process.env;

/** Below the time that mocha gives a test, so that the failure shows the terminal. */
const defaultLongestSeconds = 170;

const used = new Set<Terminal>();

/**
 * A terminal of a person, in which one command runs at a time. `script` gives each command a pseudo-terminal, so it shows its progress,
 * asks its questions and is ended by Ctrl-C as in front of a person.
 */
export class Terminal {
  readonly #folder: string;
  readonly #variables: Record<string, string>;
  readonly #events = new EventEmitter();
  #child: ChildProcessWithoutNullStreams | undefined;
  #command = '';
  #output = '';
  /** Lines that no call reads again. Unlike their characters, they do not change when a line is printed over. */
  #readLines = 0;

  constructor(folder: string, variables: Record<string, string> = {}) {
    this.#folder = folder;
    this.#variables = { TERM: 'xterm-256color', SHELL: '/bin/bash', ...variables };
    used.add(this);
  }

  /** All that the last command has printed so far. A line that was printed over is there as it was last. */
  get output(): string {
    const toLineStart = '\u001b[1G';
    return stripVTControlCharacters(this.#output.replaceAll(toLineStart, '\r'))
      .replaceAll(/\r+\n/g, '\n')
      .replaceAll(/^[^\n]*\r/gm, '');
  }

  get lastLines(): string {
    return `$ ${this.#command}\n${this.output.trimEnd().split('\n').slice(-10).join('\n')}`;
  }

  /** Runs a command to its end. Returns what it printed. */
  async run(command: string): Promise<string> {
    await this.#start(command);
    await this.#waitUntil('its end', () => this.#child === undefined);
    return this.output;
  }

  /** Starts a command that goes on, and waits until it has printed the text. */
  async start(command: string, text: string | RegExp, longestSeconds?: number): Promise<string> {
    await this.#start(command);
    return this.waitFor(text, longestSeconds);
  }

  /** Waits for a line with the text among those that no earlier call has returned. Returns them up to that line. */
  async waitFor(text: string | RegExp, longestSeconds?: number): Promise<string> {
    let found = '';
    const holds = (): boolean => {
      const unread = this.output.split('\n').slice(this.#readLines).join('\n');
      const at = typeof text === 'string' ? unread.indexOf(text) : unread.search(text);
      const end = at < 0 ? -1 : unread.indexOf('\n', at);
      if (end >= 0) found = unread.slice(0, end);
      return end >= 0;
    };
    await this.#waitUntil(String(text), holds, longestSeconds);
    this.#readLines += found.split('\n').length;
    return found;
  }

  /** Waits for a question at the end of the output, and types an answer with Enter. */
  async answer(question: string, text: string): Promise<void> {
    await this.#waitUntil(question, () => this.output.endsWith(question));
    this.type(`${text}\r`);
  }

  type(text: string): void {
    this.#child?.stdin.write(text);
  }

  /** Presses Ctrl-C, and waits until the command has ended. */
  async interrupt(): Promise<void> {
    this.type('\u0003');
    await this.#waitUntil('its end after Ctrl-C', () => this.#child === undefined);
  }

  /** Ends the command, which gets SIGHUP as from a closed window. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child) await Promise.all([once(child, 'close'), child.kill('SIGTERM')]);
    used.delete(this);
  }

  /** The exit code of the last command. */
  exitCode: number | null = null;

  async #start(command: string): Promise<void> {
    if (this.#child) throw new Error(`This terminal is taken.\n${this.lastLines}`);
    Object.assign(this, { exitCode: null });
    [this.#command, this.#output, this.#readLines] = [command, '', 0];
    const env = { PATH, HOME, LANG, ...this.#variables };
    const child = spawn('script', ['-qefc', `stty cols 160; ${command}`, '/dev/null'], { cwd: this.#folder, env });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
        this.#events.emit('change');
      });
    child.once('close', (code) => {
      this.exitCode = code;
      this.#child = undefined;
      this.#events.emit('change');
    });
  }

  async #waitUntil(what: string, holds: () => boolean, longestSeconds = defaultLongestSeconds): Promise<void> {
    const signal = AbortSignal.timeout(longestSeconds * 1000);
    while (!holds()) {
      if (this.#child === undefined) throw new Error(`The command ended without ${what}.\n${this.lastLines}`);
      await once(this.#events, 'change', { signal }).catch(() => {
        throw new Error(`There was no ${what} within ${longestSeconds} s.\n${this.lastLines}`);
      });
    }
  }
}

/** Called in a journey: a broken promise shows the last lines of its terminals, which are closed at the end. */
export function showTerminals(): void {
  afterEach(function () {
    const { currentTest: test } = this;
    if (test?.state !== 'failed' || !test.err) return;
    const shown = [...used].map(({ lastLines }) => `\nthe end of a terminal:\n${lastLines}\n`).join('');
    test.err.message += shown;
    test.err.stack = `${test.err.stack ?? ''}${shown}`;
  });
  after(async () => {
    await Promise.all([...used].map((terminal) => terminal.close()));
  });
}
