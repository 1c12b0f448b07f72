import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Credentials } from '../../cli/demo/credentials.ts';

type Environment = NodeJS.ProcessEnv;

/** What is served while somebody works on it. */
export interface Store {
  /** As people call it. */
  name: string;
  /** What the service is started with. */
  environment: Environment;
  /** Makes it where it is not there yet. False when it could not; why has been said by then. */
  ensure(): Promise<boolean>;
  /** Who may call it, where that is known: keys of a store of one's own are known to their owner alone. */
  credentials(): Credentials | null;
}

const demoParent = 'data/dev';
const demoFolder = path.join(demoParent, 'demo');
const maker = fileURLToPath(new URL('./demo-process.ts', import.meta.url));

/** The store that the environment names, or a demo store that is kept for it: an empty one without a key shows nothing. */
export function storeIn(given: Environment): Store {
  // One process is replaced faster than several. A line for each request hides what is said about the contract.
  const environment = { ENVIRONMENT: 'development', LOG_LEVEL: 'warn', ...given, WORKERS: '1' };
  const { DATA_DIR: folder, DATABASE_URL: url, DATABASE_URL_FILE: urlFile } = given;
  return folder || url || urlFile ? ownStore(folder ?? './data', environment) : demoStore(environment);
}

const ownStore = (folder: string, environment: Environment): Store => ({
  name: folder,
  environment,
  ensure: async () => true,
  credentials: () => null,
});

function demoStore(environment: Environment): Store {
  // It has a master key of its own, and nobody in it wants mail.
  const { MASTER_KEY: _key, MASTER_KEY_FILE: _keyFile, SMTP_URL: _smtp, SMTP_URL_FILE: _smtpFile, ...rest } = environment;
  const credentials = path.join(demoFolder, 'credentials.json');
  return {
    name: demoFolder,
    environment: { ...rest, DATA_DIR: demoFolder },
    ensure: async () => existsSync(credentials) || (await make(rest)) === 0,
    credentials: () => JSON.parse(readFileSync(credentials, 'utf8')) as Credentials,
  };
}

/** In a process of its own: what it loads is needed once, and not by the loop. */
async function make(env: Environment): Promise<number | null> {
  const child = spawn(process.execPath, ['--import', 'tsx', maker, demoParent], { stdio: ['ignore', 'inherit', 'inherit'], env });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
