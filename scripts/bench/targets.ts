import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Command, type Running, serve } from './child.ts';
import type { Dataset } from './dataset/dataset.ts';
import { masterKey } from './dataset/keys.ts';

/** `service-2`: two processes, on PostgreSQL. */
export type TargetName = 'floor' | 'limit' | 'fastify' | 'fastify-offset' | 'express' | 'typeorm' | 'service' | 'service-2';

export const targetTitles: Record<TargetName, string> = {
  floor: 'bare node:http, constant answer (floor)',
  limit: 'bare node:http doing the whole job by hand (limit)',
  fastify: 'Fastify 5 + Ajv + better-sqlite3',
  'fastify-offset': 'Fastify 5, count(*) and OFFSET',
  express: 'Express 5 + express-openapi-validator + TypeORM',
  typeorm: 'a plain TypeORM transaction per order',
  service: 'affiliate-program-api',
  'service-2': 'affiliate-program-api, two processes',
};

export const peersFolder = 'scripts/bench/peers';

const fileOf: Partial<Record<TargetName, string>> = {
  floor: 'floor.mjs',
  limit: 'limit.mjs',
  fastify: 'fastify.mjs',
  'fastify-offset': 'fastify.mjs',
  express: 'express.mjs',
};

export const compiledCommand = 'dist/cli/affiliate.js';

/** As `npm start` has them. */
const startFlags = ['--max-semi-space-size=32'];

/** In production settings, behind a proxy on this machine. */
export const serviceEnvironment = (url: string, dataDir: string): Record<string, string> => ({
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  MASTER_KEY: masterKey,
  ENVIRONMENT: 'production',
  TRUSTED_PROXIES: '127.0.0.1',
  LOG_LEVEL: 'info',
  PORT: '0',
});

const peerCommand = (file: string, url: string, couponBytes: number): Command => ({
  args: [path.join(peersFolder, file)],
  env: { NODE_ENV: 'production', DATABASE_URL: url, PORT: '0', CONTRACT: 'generated/openapi.json', BODY_BYTES: String(couponBytes) },
});

const temporaryFolders: string[] = [];
process.once('exit', () => {
  for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true });
});

/** Gone when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'affiliate-bench-'));
  temporaryFolders.push(folder);
  return folder;
}

/** The floor answers as many bytes as a coupon has. */
export function startTarget(name: TargetName, { url }: Pick<Dataset, 'url'>, couponBytes = 0): Promise<Running> {
  const file = fileOf[name];
  if (file !== undefined) return serve(peerCommand(file, url, couponBytes));
  const processes = name === 'service-2' ? 2 : 1;
  const env = { ...serviceEnvironment(url, temporaryFolder()), WORKERS: String(processes) };
  return serve({ args: [...startFlags, compiledCommand, 'serve'], env, cores: processes > 1 ? 'all' : 'one' });
}
