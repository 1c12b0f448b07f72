import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { checkoutAt } from '../shared/checkout.ts';
import { onAllCores } from '../shared/machine.ts';
import type { EngineName } from '../shared/options.ts';
import { type ServerProcess, serve, temporaryFolder } from '../shared/processes.ts';
import { createStore, type RunAffiliate, type Store } from './store.ts';

/** The compiled service with a store of its own, which is deleted when the process ends. */
export interface Installation {
  service: ServerProcess;
  store: Store;
  affiliate: RunAffiliate;
  stop(): Promise<void>;
}

/** Commits wait for the disk, as in production. */
const postgresSettings = { max_connections: '200', unix_socket_directories: '', dynamic_shared_memory_type: 'mmap' };

async function createDatabase(folder: string, engine: EngineName): Promise<{ url: string; stop: () => Promise<void> }> {
  if (engine === 'sqlite') return { url: `sqlite:${path.join(folder, 'affiliate.sqlite')}`, stop: async () => {} };
  // A folder of its own: the server's user may have no access to the other.
  const { urlOf, stop } = await onAllCores(() => startPostgresServer(temporaryFolder(), postgresSettings));
  return { url: urlOf('postgres'), stop };
}

export async function install(engine: EngineName): Promise<Installation> {
  const folder = temporaryFolder();
  const database = await createDatabase(folder, engine);
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    MASTER_KEY: 'protects nothing but generated data',
    ENVIRONMENT: 'production',
    TRUSTED_PROXIES: '127.0.0.1',
    PORT: '0',
  };
  const affiliate = commandRunner(env);
  const store = await createStore(affiliate);
  const service = await serve({ args: checkoutAt('.').start, env });
  const stop = async (): Promise<void> => {
    await service.stop();
    await database.stop();
  };
  return { service, store, affiliate, stop };
}

const commandRunner =
  (env: Record<string, string>): RunAffiliate =>
  async (args, input = '') => {
    const child = spawn(process.execPath, [checkoutAt('.').command, ...args, '--json'], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });
    const output = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`affiliate ${args.join(' ')} ended with ${String(code)}: ${output.err}${output.out}`);
    return JSON.parse(output.out);
  };
