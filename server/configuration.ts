import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { splitKeys } from '../domain/master-key/key-ring.ts';
import { TrustedProxies } from './http/trusted-proxies.ts';
import { parseSmtpUrl, type SmtpServer } from './mail/smtp-url.ts';

/** How this process runs, from environment variables. Decisions about the affiliate program are in the settings instead. */
export interface Configuration {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string;
  environment: 'production' | 'development' | 'local';
  tls: Tls | null;
  proxies: TrustedProxies;
  /** The key itself. Null: it is in a file. */
  masterKey: string | null;
  /** Null: `master.key` in the data folder, which is created where it is missing. */
  masterKeyFile: string | null;
  /** Null: mails are written to the data folder. */
  smtp: SmtpServer | null;
  siteModule: string | null;
  logLevel: string;
  workers: number;
  /** Null: not served. */
  metrics: MetricsAddress | null;
}

export interface Tls {
  /** The certificate with its chain, and its private key; both PEM. */
  cert: string;
  key: string;
  /** Reads the files again, which a renewal replaces. @throws ConfigurationError where they do not belong together. */
  reread(): Tls;
}

export interface MetricsAddress {
  host: string;
  port: number;
}

/** Names the invalid variable and says what would be valid. */
export class ConfigurationError extends Error {}

/** How long any process that runs unattended waits for the database: a request gets its error before its client times out. */
export const databaseTimeoutMs = 10_000;

/** Every variable that is read. */
export const variables = [
  'HOST',
  'PORT',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_URL_FILE',
  'ENVIRONMENT',
  'TLS_CERT',
  'TLS_KEY',
  'TRUSTED_PROXIES',
  'MASTER_KEY',
  'MASTER_KEY_FILE',
  'SMTP_URL',
  'SMTP_URL_FILE',
  'SITE_MODULE',
  'LOG_LEVEL',
  'WORKERS',
  'METRICS_PORT',
] as const;

type Variable = (typeof variables)[number];
type Environment = Readonly<{ [Name in Variable]?: string | undefined }>;

/** Reads a secret from its variable, or from the file that `NAME_FILE` names: `MASTER_KEY_FILE=/run/secrets/key`. */
function readSecret(env: Environment, name: 'DATABASE_URL' | 'MASTER_KEY' | 'SMTP_URL'): string | undefined {
  const file = env[`${name}_FILE`];
  if (file === undefined) return env[name];
  if (env[name] !== undefined) throw new ConfigurationError(`${name} and ${name}_FILE are both set. Set one of them.`);
  return readFile(`${name}_FILE`, file).trim();
}

const missingKey =
  'Put the key back. If it is lost for good, create another one (openssl rand -hex 32) and run affiliate secrets renew --key-is-lost.';

function readFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') {
      const user = userName();
      const remedy = `Run this as the service's user. If that is ${user}, make it the owner of the file.`;
      throw new ConfigurationError(`${name} names the file ${file}, which ${user} may not read. ${remedy}`);
    }
    const problem = `${name} names the file ${file}, which ${code === 'ENOENT' ? 'does not exist' : 'cannot be read'}.`;
    throw new ConfigurationError(name === 'MASTER_KEY_FILE' && code === 'ENOENT' ? `${problem} ${missingKey}` : problem);
  }
}

/** The user that runs this process. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // It has no entry in /etc/passwd, as in some containers.
    return `the user ${process.getuid?.()}`;
  }
}

function readInteger(env: Environment, name: Variable, fallback: number, min: number, max: number): number {
  const text = env[name] ?? String(fallback);
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new ConfigurationError(`${name} is "${text}". It must be a whole number from ${min} to ${max}.`);
  return value;
}

function readChoice<Value extends string>(env: Environment, name: Variable, fallback: Value, allowed: readonly Value[]): Value {
  const value = (env[name] ?? fallback) as Value;
  if (!allowed.includes(value)) throw new ConfigurationError(`${name} is "${value}". It must be one of ${allowed.join(', ')}.`);
  return value;
}

function readTls(env: Environment): Configuration['tls'] {
  const { TLS_CERT: cert, TLS_KEY: key } = env;
  if (!cert && !key) return null;
  if (!cert || !key) throw new ConfigurationError(`${cert ? 'TLS_KEY' : 'TLS_CERT'} is missing. TLS needs both TLS_CERT and TLS_KEY.`);
  const files = { cert: readFile('TLS_CERT', cert), key: readFile('TLS_KEY', key) };
  try {
    createSecureContext(files);
  } catch {
    throw new ConfigurationError('TLS_CERT and TLS_KEY must name a certificate and its private key, both in PEM form.');
  }
  return { ...files, reread: () => readTls(env) as Tls };
}

function readDatabaseUrl(env: Environment, dataDir: string): string {
  const url = readSecret(env, 'DATABASE_URL') ?? `sqlite:${path.join(dataDir, 'affiliate.sqlite')}`;
  if (!/^(sqlite:.|postgres(ql)?:\/\/)/.test(url)) throw new ConfigurationError('DATABASE_URL must start with sqlite: or postgres://.');
  return url;
}

function readProxies(env: Environment): TrustedProxies {
  try {
    return new TrustedProxies(env['TRUSTED_PROXIES'] ?? '');
  } catch (error) {
    throw new ConfigurationError(`TRUSTED_PROXIES: ${(error as Error).message}.`);
  }
}

/** Of a file only the name: `affiliate secrets rotate` adds a key to it while the service runs. */
function readMasterKey(env: Environment): Pick<Configuration, 'masterKey' | 'masterKeyFile'> {
  const text = readSecret(env, 'MASTER_KEY');
  const file = env['MASTER_KEY_FILE'] ?? null;
  const keys = file === null ? [text] : splitKeys(text ?? '');
  if (text !== undefined && (keys.length === 0 || keys.some((key = '') => key.length < 32)))
    throw new ConfigurationError('MASTER_KEY is too short. Give at least 32 characters, for example the output of "openssl rand -hex 32".');
  return { masterKey: file === null ? (text ?? null) : null, masterKeyFile: file === null ? null : path.resolve(file) };
}

function readSmtp(env: Environment): SmtpServer | null {
  const url = readSecret(env, 'SMTP_URL');
  if (url === undefined || url === '') return null;
  try {
    return parseSmtpUrl(url);
  } catch (error) {
    throw new ConfigurationError(`SMTP_URL makes no sense. ${(error as Error).message}.`);
  }
}

function readSiteModule(env: Environment): string | null {
  const file = env['SITE_MODULE'];
  if (!file) return null;
  if (!existsSync(file)) throw new ConfigurationError(`SITE_MODULE names the file ${file}, which does not exist.`);
  return path.resolve(file);
}

function readWorkers(env: Environment, url: string): number {
  const count = readInteger(env, 'WORKERS', 1, 1, 64);
  if (count > 1 && url.startsWith('sqlite:'))
    throw new ConfigurationError(`WORKERS is ${count}, but several processes need PostgreSQL. Set DATABASE_URL to a postgres:// address.`);
  return count;
}

/** On 127.0.0.1 whatever HOST is; other machines can read the metrics only with an address such as `0.0.0.0:9464`. */
function readMetrics(env: Environment): MetricsAddress | null {
  const text = env['METRICS_PORT'];
  if (text === undefined || text === '') return null;
  const [, host = '127.0.0.1', digits = ''] = /^(?:([\w.-]+|\[[\da-fA-F:.]+\]):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65535)
    throw new ConfigurationError(
      `METRICS_PORT is "${text}". It must be a port from 0 to 65535, or an address and a port such as 0.0.0.0:9464.`,
    );
  if (port !== 0 && port === readInteger(env, 'PORT', 8080, 0, 65535))
    throw new ConfigurationError(`METRICS_PORT and PORT are both ${port}. Set METRICS_PORT to another one.`);
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

/** Reads and validates everything, so that an invalid value fails at the start of the service and not later. */
export function readConfiguration(env: Environment): Configuration {
  const dataDir = path.resolve(env['DATA_DIR'] ?? './data');
  const url = readDatabaseUrl(env, dataDir);
  return {
    host: env['HOST'] ?? '127.0.0.1',
    port: readInteger(env, 'PORT', 8080, 0, 65535),
    dataDir,
    databaseUrl: url,
    environment: readChoice(env, 'ENVIRONMENT', 'production', ['production', 'development', 'local']),
    tls: readTls(env),
    proxies: readProxies(env),
    ...readMasterKey(env),
    smtp: readSmtp(env),
    siteModule: readSiteModule(env),
    logLevel: readChoice(env, 'LOG_LEVEL', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    workers: readWorkers(env, url),
    metrics: readMetrics(env),
  };
}

const folderProblems: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'what lies there is read-only',
  ENOENT: 'the system takes none there',
};

/**
 * Creates the folder and its parents, one by one: Node's own `recursive` never returns where the system reports ENOENT for a folder in an
 * existing one, as below /proc.
 */
export function createFolder(folder: string): void {
  const exists = existsSync(folder);
  if (exists && statSync(folder).isDirectory()) return;
  if (exists) throw new ConfigurationError(`${folder} is not a folder. Set DATA_DIR or DATABASE_URL to another place.`);
  createFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    // Another process created it in the meantime.
    if (code === 'EEXIST') return;
    throw new ConfigurationError(
      `The folder ${folder} cannot be made: ${folderProblems[code] ?? message}. Set DATA_DIR or DATABASE_URL to another place.`,
    );
  }
}
