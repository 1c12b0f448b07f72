import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { startPostgresServer } from './postgres-server.ts';

interface Server {
  /** Connected to the server's own database, to make and drop others. */
  readonly admin: Client;
  urlOf(database: string): string;
  stop(): Promise<void>;
}

// Nothing here needs to survive, so nothing waits for a disk. Deadlocks are looked for at once.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '128MB',
  max_connections: '200',
  deadlock_timeout: '50ms',
  unix_socket_directories: '',
};

let starting: Promise<Server> | undefined;
let made = 0;

/** An empty database, or a copy of one that nobody is connected to. The server starts with the first call and serves the whole run. */
export async function makePostgres(template = 'template0'): Promise<string> {
  starting ??= start();
  const { admin, urlOf } = await starting;
  made += 1;
  const name = `test_${made}`;
  await admin.query(`create database ${name} template ${nameOf(template)} strategy file_copy`);
  return urlOf(name);
}

export async function dropPostgres(url: string): Promise<void> {
  const server = await starting;
  await server?.admin.query(`drop database if exists ${nameOf(url)} with (force)`);
}

const nameOf = (urlOrName: string): string => urlOrName.slice(urlOrName.lastIndexOf('/') + 1);

async function start(): Promise<Server> {
  const { urlOf, stop } = await startPostgresServer(temporaryFolder('postgres-'), settings);
  const admin = new Client(urlOf('postgres'));
  await admin.connect();
  return { admin, urlOf, stop: () => admin.end().then(stop) };
}

/** Gone when the process ends. In memory where there is room: a database is 300 files, which a disk takes ten times as long to copy. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(path.join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), prefix));
  folders.push(folder);
  return folder;
}

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 2 ** 30;
}

// Outside of every suite, so it runs when all tests of all files are over. Should the process end otherwise, the server ends with it.
after('stop PostgreSQL', async () => {
  const server = await starting?.catch(() => undefined);
  await server?.stop();
});
