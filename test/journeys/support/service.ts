import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseEml } from '../../support/eml.ts';

interface ServiceOptions {
  /** Printed when the service is ready. */
  readyText?: string;
  variables?: Record<string, string>;
  /** Of the mails, in `DATA_DIR`. */
  mailFolder?: string;
}

/** A service with an empty data folder, started in this checkout by a command that a page names. */
export class Service {
  static readonly running = new Set<Service>();
  readonly dataDir = mkdtempSync(path.join(tmpdir(), 'journey-'));
  /** What the person at the terminal sees. */
  output = '';
  #log = '';
  readonly #environment: Record<string, string | undefined>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #mailFolder: string;

  private constructor(command: string, { variables = {}, mailFolder = 'mail' }: ServiceOptions) {
    const { PATH, HOME } = process.env;
    this.#environment = { PATH, HOME, PORT: '0', DATA_DIR: this.dataDir, LOG_LEVEL: 'info', ...variables };
    this.#mailFolder = path.join(this.dataDir, mailFolder);
    // In a process group of its own, because npm and its shell do not always pass signals on.
    this.#child = spawn('bash', ['-c', command], { env: this.#environment, detached: true });
    this.#child.stdout.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#log += chunk.toString()));
    Service.running.add(this);
  }

  static async start(command: string, options: ServiceOptions = {}): Promise<Service> {
    const service = new Service(command, options);
    const { readyText = 'listening on' } = options;
    await waitFor(`"${readyText}" in the output of ${command}`, 60_000, () => {
      if (service.#child.exitCode !== null) throw new Error(`${command} ended.\n${service.output}${service.#log}`);
      return service.output.includes(readyText) || undefined;
    });
    return service;
  }

  get url(): string {
    return /listening on (\S+)/.exec(this.output)?.[1] ?? '';
  }

  /** The last lines of the log. */
  readLog(count: number): string {
    return this.#log.trimEnd().split('\n').slice(-count).join('\n');
  }

  /** Runs a command in a second terminal. Returns all output, also of a command that reports problems. */
  run(command: string): Promise<string> {
    return new Promise((resolve) => {
      execFile('bash', ['-c', command], { env: this.#environment }, (_error, out, err) => resolve(out + err));
    });
  }

  /** The text of the newest mail to a person with these words in the subject. */
  readMail(to: string, subject: string): Promise<string> {
    return waitFor(`a mail "${subject}" to ${to}`, 20_000, () => {
      const names = existsSync(this.#mailFolder) ? readdirSync(this.#mailFolder).filter((name) => name.endsWith('.eml')) : [];
      return names
        .toSorted((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10))
        .map((name) => parseEml(readFileSync(path.join(this.#mailFolder, name), 'utf8')))
        .find(({ headers }) => headers.get('to')?.includes(to) && headers.get('subject')?.includes(subject))?.parts[0]?.text;
    });
  }

  /** The link in the newest mail of this kind. */
  async readLink(to: string, subject: string): Promise<string> {
    const text = await this.readMail(to, subject);
    const link = text.split(/\s/).find((word) => word.startsWith(`${this.url}/`));
    if (link === undefined) throw new Error(`The mail "${subject}" has no link to ${this.url}:\n${text}`);
    return link;
  }

  async stop(): Promise<void> {
    Service.running.delete(this);
    if (this.#child.exitCode === null && this.#child.pid !== undefined) {
      const closed = once(this.#child, 'close');
      process.kill(-this.#child.pid, 'SIGTERM');
      await closed;
    }
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** Polls until there is a value. */
async function waitFor<Value>(what: string, longestMs: number, find: () => Value | undefined): Promise<Value> {
  for (const deadline = performance.now() + longestMs; performance.now() < deadline; await pause(100)) {
    const found = find();
    if (found !== undefined) return found;
  }
  throw new Error(`Not within ${longestMs / 1000} s: ${what}.`);
}
