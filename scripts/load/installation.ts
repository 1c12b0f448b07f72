import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { masterKey } from '../bench/dataset/keys.ts';
import { onAllCores } from '../bench/machine.ts';
import { type ServerProcess, serve, temporaryFolder } from '../bench/processes.ts';
import { checkoutAt } from '../bench/targets.ts';
import type { Engine } from './options.ts';
import { type Affiliate, makeStore, type Store } from './store.ts';

/** The compiled service with a store of its own, which is gone when the process ends. */
export interface Installation {
  service: ServerProcess;
  metricsPort: number;
  store: Store;
  affiliate: Affiliate;
  stop(): Promise<void>;
}

/** Commits wait for the disk, as on a server that matters. */
const postgresSettings = { max_connections: '200', unix_socket_directories: '', dynamic_shared_memory_type: 'mmap' };

async function databaseIn(folder: string, engine: Engine): Promise<{ url: string; stop: () => Promise<void> }> {
  if (engine === 'sqlite') return { url: `sqlite:${path.join(folder, 'affiliate.sqlite')}`, stop: async () => {} };
  // Not below the other: whoever runs the server may not be let in there.
  const { urlOf, stop } = await onAllCores(() => startPostgresServer(temporaryFolder(), postgresSettings));
  return { url: urlOf('postgres'), stop };
}

export async function install(engine: Engine, workers: number): Promise<Installation> {
  const folder = temporaryFolder();
  const database = await databaseIn(folder, engine);
  const metricsPort = await freePort();
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    MASTER_KEY: masterKey,
    ENVIRONMENT: 'production',
    TRUSTED_PROXIES: '127.0.0.1',
    PORT: '0',
  };
  const affiliate = commandLine(env);
  const store = await makeStore(affiliate);
  const serving = { ...env, WORKERS: String(workers), METRICS_PORT: String(metricsPort) };
  const cores = workers > 1 ? 'all' : 'one';
  const service = await serve({ args: checkoutAt('.').start, env: serving, cores });
  const stop = async (): Promise<void> => {
    await service.stop();
    await database.stop();
  };
  return { service, metricsPort, store, affiliate, stop };
}

const commandLine =
  (env: Record<string, string>): Affiliate =>
  async (args, input = '') => {
    const child = spawn(process.execPath, [checkoutAt('.').command, ...args, '--json'], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`affiliate ${args.join(' ')} ended with ${String(code)}: ${said.err}${said.out}`);
    return JSON.parse(said.out);
  };
