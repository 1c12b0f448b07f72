import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { type PostgresServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { onAllCores } from '../machine.ts';
import type { DatasetStorage } from './sizes.ts';

/** PostgreSQL does not run as root, and the user that runs it then may have no access to the checkout. */
const parent = process.env['BENCH_DATA'] ?? (process.getuid?.() === 0 ? path.join(tmpdir(), 'affiliate-bench') : 'data/bench');
const folder = path.resolve(parent, 'postgres');

// Commits wait for the disk, as by default. Only the memory is more.
const settings = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  max_connections: '400',
  unix_socket_directories: '',
  dynamic_shared_memory_type: 'mmap',
};

let server: Promise<PostgresServer> | undefined;

function startedServer(): Promise<PostgresServer> {
  mkdirSync(folder, { recursive: true });
  server ??= onAllCores(() => startPostgresServer(folder, settings));
  return server;
}

/** Process id of the server; null where it was not started. */
export const postgresPid = async (): Promise<number | null> => (await server)?.pid ?? null;

export const stopPostgres = async (): Promise<void> => (await server)?.stop();

async function onDatabase(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await work(client).finally(() => client.end());
}

const execute = (url: string, statements: readonly string[]): Promise<void> =>
  onDatabase(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

const administer = async (...statements: string[]): Promise<void> => execute((await startedServer()).urlOf('postgres'), statements);

const drop = (database: string): string => `drop database if exists ${database} with (force)`;

const findIndexes = `
  select indexname, indexdef from pg_indexes
  where schemaname = 'public' and indexname not in (select conname from pg_constraint)`;

// Inserts with ids of their own leave the sequences behind.
const restartSequences = ['users', 'coupons', 'payouts', 'clicks'].map(
  (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
);

export const postgres: DatasetStorage = {
  folder,
  async urlOf(name, isEmptied) {
    const { urlOf } = await startedServer();
    const database = `bench_${name}`;
    if (isEmptied) await administer(drop(database), `create database ${database} template template0`);
    return urlOf(database);
  },
  fill: (url, statements) =>
    onDatabase(url, async (client) => {
      // The statements keep all references intact, and checking each of them takes longer than all the rest.
      for (const setting of ['session_replication_role = replica', 'synchronous_commit = off', "work_mem = '256MB'"])
        await client.query(`set ${setting}`);
      const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(findIndexes);
      for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
      for (const statement of statements) await client.query(statement);
      for (const { indexdef } of indexes) await client.query(indexdef);
      for (const statement of restartSequences) await client.query(statement);
      // As autovacuum does after a while.
      await client.query('vacuum analyze');
    }),
  execute,
  async copy(url, name) {
    const copy = `bench_copy_${name.replaceAll('-', '_')}`;
    const source = url.slice(url.lastIndexOf('/') + 1);
    await administer(drop(copy), `create database ${copy} template ${source}`);
    return { url: url.replace(/[^/]+$/, copy), remove: () => administer(drop(copy)) };
  },
};
