import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Engine, masterKey, type SizeName } from './dataset/sizes.ts';
import { type NodeCommand, type ProcessResult, run, type ServerProcess, serve, temporaryFolder } from './processes.ts';

/** In the order of the report, and in which they are measured: the service and its earlier version are neighbours. */
export const targetTitles = {
  floor: 'bare node:http, constant response (floor)',
  fastify: 'Fastify 5 + Ajv + better-sqlite3',
  'fastify-store': 'Fastify 5 + better-sqlite3, one transaction per order',
  express: 'Express 5 + express-openapi-validator + TypeORM',
  'fastify-pg': 'Fastify 5 + Ajv + pg',
  'fastify-pg-4': 'Fastify 5 + Ajv + pg, four processes',
  'express-pg': 'Express 5 + express-openapi-validator + TypeORM',
  'express-pg-4': 'Express 5 + express-openapi-validator + TypeORM, four processes',
  typeorm: 'a plain TypeORM transaction per order',
  docs: 'the reference page, /docs',
  before: 'affiliate-program-api, before',
  service: 'affiliate-program-api',
  'service-4': 'affiliate-program-api, four processes',
};
export type TargetName = keyof typeof targetTitles;
export const targetOrder = Object.keys(targetTitles) as TargetName[];

export const peersFolder = path.resolve('scripts/bench/peers');

export type PeerName = 'fastify' | 'fastify-store' | 'express';

/** What a peer is on each database. */
const peerTargets: Record<Engine, Record<PeerName, TargetName[]>> = {
  sqlite: { fastify: ['fastify'], 'fastify-store': ['fastify-store'], express: ['express'] },
  postgres: { fastify: ['fastify-pg', 'fastify-pg-4'], 'fastify-store': [], express: ['express-pg', 'express-pg-4'] },
};

export const processesOf = (target: TargetName): number => (target.endsWith('-4') ? 4 : 1);

/** What a row says of its targets. */
export interface RowTargets {
  /** Beside the floor and the service. */
  peers: PeerName[];
  /** Whether it shows what more processes bring, on PostgreSQL at 1k orders. */
  onFourProcesses?: boolean;
}

/** The targets of a row beside the floor, the service and its earlier version. Only PostgreSQL lets several processes share a database. */
export function furtherTargets(engine: Engine, size: SizeName, { peers, onFourProcesses = false }: RowTargets): TargetName[] {
  const all = [...peers.flatMap((peer) => peerTargets[engine][peer]), ...(engine === 'postgres' ? ['service-4' as const] : [])];
  return all.filter((target) => processesOf(target) === 1 || (onFourProcesses && size === '1k'));
}

/** A checkout of this repository with its compiled service. Its package.json says where that is, since entry points move between versions. */
export interface Checkout {
  folder: string;
  /** The `affiliate` command. */
  command: string;
  /** What `npm start` runs, after `node`. */
  start: string[];
  commit: string;
}

export function checkoutAt(folder: string): Checkout {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    bin: { affiliate: string };
    scripts: { start: string };
  };
  const command = path.resolve(folder, manifest.bin.affiliate);
  if (!existsSync(command)) throw new Error(`${command} is missing: run npm run build in ${folder}.`);
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: folder, encoding: 'utf8' });
  const [, ...start] = manifest.scripts.start.split(' ');
  return { folder: path.resolve(folder), command, start, commit: stdout.trim() };
}

/** Production settings, behind a proxy on this machine. */
const serviceEnvironment = (url: string): Record<string, string> => ({
  DATABASE_URL: url,
  DATA_DIR: temporaryFolder(),
  MASTER_KEY: masterKey,
  ENVIRONMENT: 'production',
  TRUSTED_PROXIES: '127.0.0.1',
  LOG_LEVEL: 'info',
  PORT: '0',
});

/** Runs the `affiliate` command of a checkout. */
export const runCommand = (
  { folder, command }: Checkout,
  url: string,
  args: string[],
  cores?: NodeCommand['cores'],
): Promise<ProcessResult> => run({ args: [command, ...args], env: serviceEnvironment(url), cwd: folder, ...(cores && { cores }) });

/**
 * For servers under load. In the pauses between slices V8 would otherwise reduce the heap, which discards compiled code: the next ten slices
 * would cost twice as much, as under steady load they never do.
 */
export const loadFlags = ['--no-memory-reducer'];

/** Starts the version of the service that the data set belongs to. */
export function startService(
  { url, checkout }: { url: string; checkout: Checkout },
  processes = 1,
  flags: string[] = [],
): Promise<ServerProcess> {
  const env = { ...serviceEnvironment(url), WORKERS: String(processes) };
  return serve({ args: [...flags, ...checkout.start], env, cwd: checkout.folder, cores: processes > 1 ? 'all' : 'one' });
}

/** The response of the floor has as many bytes as that to a coupon. */
export function startPeer(name: TargetName, url: string, couponBytes: number): Promise<ServerProcess> {
  const env = { NODE_ENV: 'production', DATABASE_URL: url, PORT: '0', CONTRACT: 'generated/openapi.json', BODY_BYTES: String(couponBytes) };
  const file = path.join(peersFolder, `${name.replace(/-pg(-4)?$/, '')}.mjs`);
  const processes = processesOf(name);
  if (processes === 1) return serve({ args: [...loadFlags, file], env });
  return serve({ args: [...loadFlags, path.join(peersFolder, 'cluster.mjs'), file, String(processes)], env, cores: 'all' });
}

/** Installs the peers at the first use, and when their versions have changed. */
export function installPeers(): void {
  const lock = path.join(peersFolder, 'package-lock.json');
  const installed = path.join(peersFolder, 'node_modules', '.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return;
  console.log('Installing the peers (Fastify, Express and others), once. better-sqlite3 may be compiled, which takes some minutes.');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: peersFolder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm ci failed in ${peersFolder}; its output is above.`);
  copyFileSync(lock, installed);
}
