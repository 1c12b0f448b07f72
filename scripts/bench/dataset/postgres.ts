import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { type PostgresServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { onAllCores } from '../machine.ts';
import { fill, type Made, makeTables, once } from './filling.ts';
import { type SizeName, sizes } from './sizes.ts';

// As a careful operator has it: commits wait for the disk. Only the memory is more than by default.
const settings = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  max_connections: '60',
  unix_socket_directories: '',
  dynamic_shared_memory_type: 'mmap',
};

let starting: Promise<PostgresServer> | undefined;

/** Root cannot run PostgreSQL, and who runs it then may not be let into the checkout. */
const folderIn = (folder: string): string =>
  process.getuid?.() === 0 ? path.join(tmpdir(), 'affiliate-bench-postgres') : path.join(folder, 'postgres');

function start(folder: string): Promise<PostgresServer> {
  mkdirSync(folder, { recursive: true });
  starting ??= onAllCores(() => startPostgresServer(folder, settings));
  return starting;
}

export const stopPostgres = async (): Promise<void> => (await starting)?.stop();

export async function postgresUrl(benchFolder: string, name: SizeName): Promise<Made> {
  const folder = folderIn(benchFolder);
  const { urlOf } = await start(folder);
  const database = `bench_${name}`;
  const isNew = await once(path.join(folder, `${name}.recipe`), 'postgres', sizes[name], async () => {
    await administer(`drop database if exists ${database} with (force)`, `create database ${database} template template0`);
    await makeTables(urlOf(database));
    await filled(urlOf(database), name);
  });
  return { url: urlOf(database), isNew };
}

async function administer(...commands: string[]): Promise<void> {
  const server = await starting;
  if (server) await onDatabase(server.urlOf('postgres'), commands);
}

/** Past the service. */
export async function onDatabase(url: string, commands: readonly string[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    for (const command of commands) await client.query(command);
  } finally {
    await client.end();
  }
}

const findIndexes = `
  select indexname, indexdef from pg_indexes
  where schemaname = 'public' and indexname not in (select conname from pg_constraint)`;

// Ids that were given leave the counters behind them.
const counted = ['users', 'coupons', 'payouts', 'clicks'].map(
  (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
);

async function filled(url: string, name: SizeName): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const run = (sql: string): Promise<unknown> => client.query(sql);
  const indexes = async () => {
    const { rows } = await client.query<{ indexname: string; indexdef: string }>(findIndexes);
    return rows.map(({ indexname, indexdef }) => ({ make: indexdef, drop: `drop index ${indexname}` }));
  };
  try {
    // References hold by themselves here, and looking each of them up takes longer than all the rest.
    for (const setting of ['session_replication_role = replica', 'synchronous_commit = off', "work_mem = '256MB'"])
      await run(`set ${setting}`);
    await fill({ run, indexes }, 'postgres', sizes[name]);
    for (const statement of counted) await run(statement);
    // Which a server does by itself after a while.
    await run('vacuum analyze');
  } finally {
    await client.end();
  }
}

export async function copyOfDatabase(url: string, copy: string): Promise<{ url: string; remove: () => Promise<void> }> {
  const source = url.slice(url.lastIndexOf('/') + 1);
  await administer(`drop database if exists ${copy} with (force)`, `create database ${copy} template ${source}`);
  return { url: url.replace(/[^/]+$/, copy), remove: () => administer(`drop database if exists ${copy} with (force)`) };
}
