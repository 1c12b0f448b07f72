import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DemoCredentials } from '../../cli/demo/create-demo.ts';
import { WorkerProcess } from './worker.ts';

/** The store that `npm run dev` serves: the one that the environment names, or else a demo store, which has data and credentials. */
export interface DevStore {
  name: string;
  /** For the process that serves. */
  env: NodeJS.ProcessEnv;
  isDemo: boolean;
}

const demoParent = 'data/dev';
const demoFolder = path.join(demoParent, 'demo');
const credentialsFile = path.join(demoFolder, 'credentials.json');

export function chooseStore(given: NodeJS.ProcessEnv): DevStore {
  // One process is replaced faster than several. A log line for each request would hide the messages about the contract.
  const env = { ENVIRONMENT: 'development', LOG_LEVEL: 'warn', ...given, WORKERS: '1' };
  if (given['DATA_DIR'] || given['DATABASE_URL'] || given['DATABASE_URL_FILE'])
    return { name: given['DATA_DIR'] ?? './data', env, isDemo: false };
  // The demo store has a master key of its own and sends no mail.
  const { MASTER_KEY: _key, MASTER_KEY_FILE: _keyFile, SMTP_URL: _smtp, SMTP_URL_FILE: _smtpFile, ...rest } = env as NodeJS.ProcessEnv;
  return { name: demoFolder, env: { ...rest, DATA_DIR: demoFolder }, isDemo: true };
}

/** Creates the demo store if it is missing, in a process of its own, because the loop itself does not need the modules. */
export async function ensureStore({ env, isDemo }: DevStore): Promise<void> {
  if (!isDemo || existsSync(credentialsFile)) return;
  const worker = new WorkerProcess(env);
  await worker.call('createDemo', demoParent).finally(() => worker.stop());
}

/** URL, credentials and the next step, printed once after the start. */
export function formatGreeting(url: string, { name, isDemo }: DevStore): string {
  const lines = isDemo
    ? formatAccess(url, JSON.parse(readFileSync(credentialsFile, 'utf8')) as DemoCredentials)
    : [`  Reference page   ${url}/docs`, `  Data             ${name}`];
  const nextStep = 'Edit openapi/, the code or web/ and save: what is good is served. Ctrl-C ends it.';
  return [`affiliate-api listening on ${url}`, '', ...lines, '', nextStep].join('\n');
}

const formatAccess = (url: string, { admin, affiliate }: DemoCredentials): string[] => [
  `  Reference page   ${url}/docs`,
  `  Sign in there    ${admin.login} with the password ${admin.password}`,
  `  Admin token      ${admin.token}`,
  `  Affiliate token  ${affiliate.token}`,
  `  Try it           curl -H 'Authorization: Bearer ${admin.token}' ${url}/api/v2/me`,
  `  Data             ${demoFolder}, a demo store that is kept; remove it for a new one, or name another by DATA_DIR`,
];
