import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { type Database, type DatabaseOptions, openDatabase } from '../../db/database.ts';
import { createUser } from '../../domain/users/create.ts';
import type { Role, User } from '../../domain/users/user.ts';
import { compiledCommand } from './compiled-command.ts';

export interface CommandOutcome {
  code: number | null;
  out: string;
  err: string;
}

type Variables = Record<string, string | undefined>;

/** What a developer's shell may hold, and would change what is tested. */
const ours = [
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
  [...ours, 'LOG_LEVEL', 'MASTER_KEY_FILE', 'DATABASE_URL_FILE', 'SMTP_URL_FILE'].map((name) => [name, undefined]),
);

const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'affiliate-'));
  folders.push(folder);
  return folder;
}

process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A machine of its own to run `affiliate` on, with an empty data folder. */
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

  /** A process that goes on. */
  start(args: readonly string[], variables: Variables = {}): ChildProcessWithoutNullStreams {
    const env = { ...process.env, ...unset, ...this.#variables, ...variables };
    return spawn(process.execPath, [...compiledCommand(), ...args], { env });
  }

  async run(args: readonly string[], { input = '', ...variables }: Variables = {}): Promise<CommandOutcome> {
    const child = this.start(args, variables);
    child.stdin.end(input);
    return waitForExit(child);
  }

  /** What people read. */
  async text(...args: string[]): Promise<string> {
    const { code, out, err } = await this.run(args);
    expect({ code, err }, args.join(' ')).to.deep.equal({ code: 0, err: '' });
    return out;
  }

  /** What scripts read: all of standard output is one document. */
  async json<Document = Record<string, unknown>>(...args: string[]): Promise<Document> {
    const { code, out, err } = await this.run([...args, '--json']);
    expect({ code, err }, args.join(' ')).to.deep.equal({ code: 0, err: '' });
    return JSON.parse(out) as Document;
  }

  /** A user who was there before. */
  addUser(login: string, role: Role): Promise<User> {
    const user = { login, email: `${login}@example.com`, displayName: login, role, passwordHash: null, registeredAt: Date.now() };
    return this.inside(async (database) => {
      await database.migrate();
      return database.write((transaction) => createUser(transaction, user));
    });
  }

  /** Past the checks that every setting goes through. */
  store(setting: string, value: unknown): Promise<void> {
    return this.inside((database) => database.write(({ settings }) => settings.set(setting, value)));
  }

  /** Looks into the database, past the command line. */
  async inside<Result>(work: (database: Database) => Promise<Result>, options: Partial<DatabaseOptions> = {}): Promise<Result> {
    const database = await openDatabase({ url: this.databaseUrl, ...options });
    return work(database).finally(() => database.close());
  }
}

export async function waitForExit(child: ChildProcessWithoutNullStreams): Promise<CommandOutcome> {
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

/** A refusal as operators see it: nothing on standard output, one line without a stack on standard error. */
export function expectCommandError({ code, out, err }: CommandOutcome, sentence: string | RegExp): void {
  expect({ code, out, lines: err.split('\n').length }, err).to.deep.equal({ code: 1, out: '', lines: 2 });
  if (typeof sentence === 'string') expect(err).to.equal(`${sentence}\n`);
  else expect(err).to.match(sentence);
  expect(err).not.to.match(/^Error|\bat .*\.[jt]s:\d/);
}

/** Starting a process is most of a test's time, so the processes of independent tests run beside each other. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Map<Item, Result>> {
  const results = new Map<Item, Result>();
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) results.set(item, await work(item));
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));
  return results;
}
