import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

interface Connection {
  /** Connected to the server's own database, to make and drop others. */
  readonly admin: Client;
  urlOf(database: string): string;
}

// Nothing here needs to survive, so nothing waits for a disk. Deadlocks are looked for at once.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '128MB',
  max_connections: '300',
  deadlock_timeout: '50ms',
  unix_socket_directories: '',
  // In its own folder, where it goes with the rest.
  dynamic_shared_memory_type: 'mmap',
};

/** Where the workers of a run find the server that they share. */
const sharedUrl = 'TEST_POSTGRES_URL';

let starting: Promise<PostgresServer> | undefined;
let connecting: Promise<Connection> | undefined;
let made = 0;

/** An empty database, or a copy of one without connections. The server starts with the first call and serves the whole run. */
export async function makePostgres(template = 'template0'): Promise<string> {
  connecting ??= connect();
  const { admin, urlOf } = await connecting;
  made += 1;
  const name = `test_${process.pid}_${made}`;
  await admin.query(`create database ${name} template ${nameOf(template)} strategy file_copy`);
  return urlOf(name);
}

export async function dropPostgres(url: string): Promise<void> {
  const connection = await connecting;
  await connection?.admin.query(`drop database if exists ${nameOf(url)} with (force)`);
}

async function connect(): Promise<Connection> {
  const shared = process.env[sharedUrl];
  const urlOf = shared ? (database: string) => shared.replace(/postgres$/, database) : (await start()).urlOf;
  const admin = new Client(urlOf('postgres'));
  await admin.connect();
  return { admin, urlOf };
}

function start(): Promise<PostgresServer> {
  starting ??= startPostgresServer(temporaryFolder('postgres-'), settings);
  return starting;
}

/** Starts the server for all processes that this one starts. */
export async function sharePostgres(): Promise<void> {
  process.env[sharedUrl] = (await start()).urlOf('postgres');
}

/** When all tests of all files are over. Should the process end otherwise, the server ends with it. */
export async function stopPostgres(): Promise<void> {
  const connection = await connecting?.catch(() => undefined);
  await connection?.admin.end();
  const server = await starting?.catch(() => undefined);
  await server?.stop();
}

const nameOf = (urlOrName: string): string => urlOrName.slice(urlOrName.lastIndexOf('/') + 1);

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
