import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { build, type Checkout, checkoutAt } from '../shared/checkout.ts';
import { type NodeCommand, type ProcessResult, run, type ServerProcess, serve, temporaryFolder } from '../shared/processes.ts';

/** In the order in which they are measured: the service and its former version are neighbours. */
export const targetNames = ['floor', 'fastify', 'before', 'service'] as const;
export type TargetName = (typeof targetNames)[number];

/** Compiles another commit in a temporary folder, with the packages that are installed here. */
export function checkOut(commit: string): Checkout {
  const folder = temporaryFolder();
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  build(folder);
  return checkoutAt(folder, commit);
}

interface Installation {
  checkout: Checkout;
  url: string;
}

/** Production settings, behind a proxy on this machine. */
const environmentOf = (url: string): Record<string, string> => ({
  DATABASE_URL: url,
  DATA_DIR: temporaryFolder(),
  MASTER_KEY: 'protects nothing but generated data',
  ENVIRONMENT: 'production',
  TRUSTED_PROXIES: '127.0.0.1',
  PORT: '0',
});

/** Runs the `affiliate` command. It may use all cores, since nothing else runs. */
export const runAffiliate = ({ checkout, url }: Installation, args: string[], input?: string): Promise<ProcessResult> =>
  run({ args: [checkout.command, ...args], env: environmentOf(url), cwd: checkout.folder, cores: 'all', input });

export const startService = ({ checkout, url }: Installation, command: Partial<NodeCommand> = {}): Promise<ServerProcess> =>
  serve({
    ...command,
    args: [...(command.args ?? []), ...checkout.start],
    env: { ...environmentOf(url), ...command.env },
    cwd: checkout.folder,
  });

/**
 * For servers under load. In the pauses between slices V8 would otherwise reduce the heap, which discards compiled code: the next ten slices
 * would cost twice as much, as under steady load they never do.
 */
export const loadFlags = ['--no-memory-reducer'];

const peersFolder = path.resolve('scripts/bench/peers');

export const startPeer = (name: 'floor' | 'fastify', { url, shop }: { url: string; shop: { secret: string } }): Promise<ServerProcess> =>
  serve({
    args: [...loadFlags, path.join(peersFolder, `${name}.mjs`)],
    env: { NODE_ENV: 'production', DATABASE_URL: url, SHOP_SECRET: shop.secret },
  });

/** Installs the peers at the first use, and when their versions have changed. */
export function installPeers(): void {
  const lock = path.join(peersFolder, 'package-lock.json');
  const installed = path.join(peersFolder, 'node_modules', '.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return;
  console.log('Installing Fastify and better-sqlite3, once. better-sqlite3 may be compiled, which takes some minutes.');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: peersFolder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm ci failed in ${peersFolder}; its output is above.`);
  copyFileSync(lock, installed);
}
