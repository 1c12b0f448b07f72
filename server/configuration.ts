import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { TrustedProxies } from './http/trusted-proxies.ts';
import { parseSmtpUrl, type SmtpServer } from './mail/smtp-url.ts';

/** How this process runs, from environment variables. What the operator decides about the program is in the settings instead. */
export interface Configuration {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string;
  environment: 'production' | 'development' | 'local';
  tls: { cert: string; key: string } | null;
  proxies: TrustedProxies;
  /** Null: made and kept in the data folder. */
  masterKey: string | null;
  /** Null: mails are written to the data folder. */
  smtp: SmtpServer | null;
  siteModule: string | null;
  logLevel: string;
  workers: number;
  /** Null: not served. */
  metrics: MetricsAddress | null;
}

export interface MetricsAddress {
  host: string;
  port: number;
}

/** Names the variable that makes no sense, and says what would. */
export class ConfigurationError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/** A secret may also come from a file, so that it stands in no process listing: `MASTER_KEY_FILE=/run/secrets/key`. */
function secret(env: Environment, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (file === undefined) return env[name];
  if (env[name] !== undefined) throw new ConfigurationError(`${name} and ${name}_FILE are both set. Set one of them.`);
  return readable(`${name}_FILE`, file).trim();
}

function readable(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new ConfigurationError(`${name} names the file ${file}, which cannot be read.`);
  }
}

function whole(env: Environment, name: string, fallback: number, lowest: number, highest: number): number {
  const text = env[name] ?? String(fallback);
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < lowest || value > highest)
    throw new ConfigurationError(`${name} is "${text}". It must be a whole number from ${lowest} to ${highest}.`);
  return value;
}

function oneOf<Value extends string>(env: Environment, name: string, fallback: Value, allowed: readonly Value[]): Value {
  const value = (env[name] ?? fallback) as Value;
  if (!allowed.includes(value)) throw new ConfigurationError(`${name} is "${value}". It must be one of ${allowed.join(', ')}.`);
  return value;
}

function tlsFiles(env: Environment): Configuration['tls'] {
  const { TLS_CERT: cert, TLS_KEY: key } = env;
  if (!cert && !key) return null;
  if (!cert || !key) throw new ConfigurationError(`${cert ? 'TLS_KEY' : 'TLS_CERT'} is missing. TLS needs both TLS_CERT and TLS_KEY.`);
  const files = { cert: readable('TLS_CERT', cert), key: readable('TLS_KEY', key) };
  try {
    createSecureContext(files);
  } catch {
    throw new ConfigurationError('TLS_CERT and TLS_KEY must name a certificate and its private key, both in PEM form.');
  }
  return files;
}

function databaseUrl(env: Environment, dataDir: string): string {
  const url = secret(env, 'DATABASE_URL') ?? `sqlite:${path.join(dataDir, 'affiliate.sqlite')}`;
  if (!/^(sqlite:.|postgres(ql)?:\/\/)/.test(url)) throw new ConfigurationError('DATABASE_URL must start with sqlite: or postgres://.');
  return url;
}

function proxies(env: Environment): TrustedProxies {
  try {
    return new TrustedProxies(env['TRUSTED_PROXIES'] ?? '');
  } catch (error) {
    throw new ConfigurationError(`TRUSTED_PROXIES: ${(error as Error).message}.`);
  }
}

function masterKey(env: Environment): string | null {
  const key = secret(env, 'MASTER_KEY');
  if (key === undefined) return null;
  if (key.length < 32)
    throw new ConfigurationError('MASTER_KEY is too short. Give at least 32 characters, for example the output of "openssl rand -hex 32".');
  return key;
}

function smtp(env: Environment): SmtpServer | null {
  const url = secret(env, 'SMTP_URL');
  if (url === undefined || url === '') return null;
  try {
    return parseSmtpUrl(url);
  } catch (error) {
    throw new ConfigurationError(`SMTP_URL makes no sense. ${(error as Error).message}.`);
  }
}

function siteModule(env: Environment): string | null {
  const file = env['SITE_MODULE'];
  if (!file) return null;
  if (!existsSync(file)) throw new ConfigurationError(`SITE_MODULE names the file ${file}, which does not exist.`);
  return path.resolve(file);
}

function workers(env: Environment, url: string): number {
  const count = whole(env, 'WORKERS', 1, 1, 64);
  if (count > 1 && url.startsWith('sqlite:'))
    throw new ConfigurationError(`WORKERS is ${count}, but several processes need PostgreSQL. Set DATABASE_URL to a postgres:// address.`);
  return count;
}

/** A port of this machine alone, whatever HOST is: who else may see the figures is to be said, as in `0.0.0.0:9464`. */
function metrics(env: Environment): MetricsAddress | null {
  const given = env['METRICS_PORT'];
  if (given === undefined || given === '') return null;
  const [, host = '127.0.0.1', digits = ''] = /^(?:([\w.-]+|\[[\da-fA-F:.]+\]):)?(\d{1,5})$/.exec(given) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65535)
    throw new ConfigurationError(
      `METRICS_PORT is "${given}". It must be a port from 0 to 65535, or an address and a port such as 0.0.0.0:9464.`,
    );
  if (port !== 0 && port === whole(env, 'PORT', 8080, 0, 65535))
    throw new ConfigurationError(`METRICS_PORT and PORT are both ${port}. Set METRICS_PORT to another one.`);
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

/** Reads and checks everything, so that a wrong value stops the service at its start and not in the night. */
export function readConfiguration(env: Environment): Configuration {
  const dataDir = path.resolve(env['DATA_DIR'] ?? './data');
  const url = databaseUrl(env, dataDir);
  return {
    host: env['HOST'] ?? '127.0.0.1',
    port: whole(env, 'PORT', 8080, 0, 65535),
    dataDir,
    databaseUrl: url,
    environment: oneOf(env, 'ENVIRONMENT', 'production', ['production', 'development', 'local']),
    tls: tlsFiles(env),
    proxies: proxies(env),
    masterKey: masterKey(env),
    smtp: smtp(env),
    siteModule: siteModule(env),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    workers: workers(env, url),
    metrics: metrics(env),
  };
}
