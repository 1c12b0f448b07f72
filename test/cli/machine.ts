import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { type Database, type DatabaseOptions, openDatabase } from '../../db/database.ts';
import { createUser } from '../../domain/users/create.ts';
import type { Role, User } from '../../domain/users/user.ts';
import type { CommandOutcome } from './command-process.ts';
import { runCommand } from './command-processes.ts';
import { compiledCommand } from './compiled-command.ts';

export type { CommandOutcome };

interface CommandWithInput {
  args: readonly string[];
  input?: string | undefined;
}

type Variables = Record<string, string | undefined>;

/** Variables of a developer's shell that would change the tests. */
const serviceVariables = [
  'HOST',
  'PORT',
  'DATABASE_URL',
  'ENVIRONMENT',
  'TLS_CERT',
  'TLS_KEY',
  'TRUSTED_PROXIES',
  'MASTER_KEY',
  'SITE_MODULE',
  'SMTP_URL',
  'WORKERS',
  'METRICS_PORT',
];
const unset: Variables = Object.fromEntries(
  [...serviceVariables, 'LOG_LEVEL', 'MASTER_KEY_FILE', 'DATABASE_URL_FILE', 'SMTP_URL_FILE'].map((name) => [name, undefined]),
);

/** Workers are processes of their command, and a site module is loaded once in a process. */
const needsOwnProcess = ({ SITE_MODULE, WORKERS }: Variables): boolean => SITE_MODULE !== undefined || WORKERS !== undefined;

const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'affiliate-'));
  folders.push(folder);
  return folder;
}

process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs `affiliate` with a data folder of its own, which is empty at first. */
export class Machine {
  readonly folder = newFolder();
  readonly dataDir = path.join(this.folder, 'data');
  readonly #variables: Variables;

  constructor(variables: Variables = {}) {
    this.#variables = { DATA_DIR: this.dataDir, ...variables };
  }

  get databaseUrl(): string {
    return this.#variables['DATABASE_URL'] ?? `sqlite:${path.join(this.dataDir, 'affiliate.sqlite')}`;
  }

  /** Starts a process without waiting for its end. */
  start(args: readonly string[], variables: Variables = {}): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [...compiledCommand(), ...args], { env: this.#environment(variables) });
  }

  #environment(variables: Variables): Variables {
    return { ...process.env, ...unset, ...this.#variables, ...variables };
  }

  run(args: readonly string[], { input = '', ...more }: Variables = {}): Promise<CommandOutcome> {
    const variables = this.#environment(more);
    if (!needsOwnProcess(variables)) return runCommand({ args, input, variables });
    const child = this.start(args, more);
    child.stdin.end(input);
    return waitForExit(child);
  }

  /** Runs commands one after the other. */
  async runSeries(commands: readonly CommandWithInput[]): Promise<CommandOutcome[]> {
    const outcomes: CommandOutcome[] = [];
    for (const { args, input } of commands) outcomes.push(await this.run(args, { input }));
    return outcomes;
  }

  /** Standard output of a successful command. */
  async text(...args: string[]): Promise<string> {
    const { code, out, err } = await this.run(args);
    expect({ code, err }, args.join(' ')).to.deep.equal({ code: 0, err: '' });
    return out;
  }

  /** The JSON document of a successful command: all of standard output. */
  async json<Document = Record<string, unknown>>(...args: string[]): Promise<Document> {
    const { code, out, err } = await this.run([...args, '--json']);
    expect({ code, err }, args.join(' ')).to.deep.equal({ code: 0, err: '' });
    return JSON.parse(out) as Document;
  }

  /** Creates a user, and the database if there is none. */
  addUser(login: string, role: Role): Promise<User> {
    const user = { login, email: `${login}@example.com`, displayName: login, role, passwordHash: null, registeredAt: Date.now() };
    return this.inside(async (database) => {
      await database.migrate();
      return database.write((transaction) => createUser(transaction, user));
    });
  }

  /** Without validation. */
  store(setting: string, value: unknown): Promise<void> {
    return this.inside((database) => database.write(({ settings }) => settings.set(setting, value)));
  }

  /** Opens the database directly. */
  async inside<Result>(work: (database: Database) => Promise<Result>, options: Partial<DatabaseOptions> = {}): Promise<Result> {
    const database = await openDatabase({ url: this.databaseUrl, ...options });
    return work(database).finally(() => database.close());
  }
}

export async function waitForExit(child: ChildProcessWithoutNullStreams): Promise<CommandOutcome> {
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** Exit code 1, nothing on standard output, and one line without a stack on standard error. */
export function expectCommandError({ code, out, err }: CommandOutcome, sentence: string | RegExp): void {
  expect({ code, out, lines: err.split('\n').length }, err).to.deep.equal({ code: 1, out: '', lines: 2 });
  if (typeof sentence === 'string') expect(err).to.equal(`${sentence}\n`);
  else expect(err).to.match(sentence);
  expect(err).not.to.match(/^Error|\bat .*\.[jt]s:\d/);
}

/** Runs `work` for all items, in one process more than there are cores. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Map<Item, Result>> {
  const results = new Map<Item, Result>();
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) results.set(item, await work(item));
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));
  return results;
}
