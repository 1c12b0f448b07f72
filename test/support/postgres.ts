import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

interface Connection {
  /** Connected to the server's own database, to create and drop others. */
  readonly admin: Client;
  urlOf(database: string): string;
}

// No data needs to survive a crash, so no write waits for a disk. Deadlocks are detected after 50 ms.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '128MB',
  max_connections: '300',
  deadlock_timeout: '50ms',
  unix_socket_directories: '',
  // In its own folder, which is removed at the end.
  dynamic_shared_memory_type: 'mmap',
};

/** Variable with the URL of the server that the mocha workers share. */
const sharedUrl = 'TEST_POSTGRES_URL';

let starting: Promise<PostgresServer> | undefined;
let connecting: Promise<Connection> | undefined;
let made = 0;

/** Creates an empty database, or a copy of one without connections. The server starts with the first call and serves the whole run. */
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
  process.env[sharedUrl] ??= (await start()).urlOf('postgres');
}

/** Stops the server after all tests of all files. If the process ends earlier, the server ends with it. */
export async function stopPostgres(): Promise<void> {
  const connection = await connecting?.catch(() => undefined);
  await connection?.admin.end();
  const server = await starting?.catch(() => undefined);
  await server?.stop();
}

const nameOf = (urlOrName: string): string => urlOrName.slice(urlOrName.lastIndexOf('/') + 1);

/** Removed when the process ends. In memory if there is room: a database is 300 files, and copying them on a disk takes ten times as long. */
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
