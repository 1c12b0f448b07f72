import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDatabaseUrl } from '../../db/database-url.ts';
import { findMasterKeys, masterKeyFile } from '../../server/auth/master-key.ts';
import { type Configuration, type Tls, userName } from '../../server/configuration.ts';
import { loadSiteModule } from '../../site/extension.ts';
import { formatError, isWritable } from '../terminal/output.ts';
import { type Check, ok, problem, warning } from './check.ts';

const oneDayMs = 86_400_000;
const megabyte = 2 ** 20;

/** As in package.json. */
const minNode = [20, 19] as const;

export function checkNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < minNode[0] || (major === minNode[0] && minor < minNode[1]);
  return isOld
    ? problem('node', `Node ${version} is too old. Install Node ${minNode.join('.')} or later.`)
    : ok('node', `Node ${version}.`);
}

/** 12:00 UTC is 14:00 in Berlin in summer. A Node without time zone data returns another hour, or throws. */
export function checkTimeZones(hourIn: (zone: string) => string = hourInJuly): Check {
  try {
    if (hourIn('Europe/Berlin') === '14') return ok('time zones', 'Node has time zone data.');
  } catch {
    // Reported below.
  }
  return problem(
    'time zones',
    'This Node has no time zone data, so days would begin at the wrong hour. Install a Node with full ICU data.',
  );
}

const hourInJuly = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' }).format(Date.parse('2026-07-01T12:00:00Z'));

/** Null on PostgreSQL, and for an invalid address, which is reported when the database is opened. */
export function databaseFile({ databaseUrl }: Configuration): string | null {
  try {
    const location = parseDatabaseUrl(databaseUrl);
    return location.engine === 'sqlite' ? location.path : null;
  } catch {
    return null;
  }
}

export function checkDisk(configuration: Configuration, freeIn: (folder: string) => number = freeBytes): Check[] {
  const file = databaseFile(configuration);
  const folder = existingFolder(file === null ? configuration.dataDir : path.dirname(path.resolve(file)));
  const free = Math.floor(freeIn(folder) / megabyte);
  const message = `There are ${free} MB free on the disk of ${folder}.`;
  if (free < 100) return [problem('disk', `${message} Free some space, or move DATA_DIR.`)];
  return [free < 1000 ? warning('disk', `${message} Free some space before it is full.`) : ok('disk', message)];
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The folder itself, or the nearest one above it that exists. */
const existingFolder = (folder: string): string => (existsSync(folder) ? folder : existingFolder(path.dirname(folder)));

/** The database has addresses and password hashes. */
export function checkPrivacy(configuration: Configuration): Check[] {
  const file = databaseFile(configuration);
  const found = file === null ? undefined : statSync(file, { throwIfNoEntry: false });
  if (!found || (found.mode & 0o077) === 0) return [];
  return [warning('privacy', `${file} can be read by other users of this machine. Run: chmod 600 ${file}`)];
}

/** A hint for a missing or empty database: another one at a usual place. */
export function hintAtOtherDatabase(configuration: Configuration, places = usualPlaces): string {
  const file = databaseFile(configuration);
  if (file === null) return '';
  const other = places.map((place) => path.resolve(place)).find((place) => place !== path.resolve(file) && existsSync(place));
  return other ? ` There is one at ${other}: is DATA_DIR correct?` : '';
}

const usualPlaces = ['data/affiliate.sqlite', '/var/lib/affiliate-api/affiliate.sqlite'];

export function checkDataFolder({ dataDir }: Configuration): Check {
  const name = 'data folder';
  if (!isReachable({ dataDir }))
    return problem(name, `${userName()} may not read ${dataDir}. Run this as the user of the service, change its owner, or set DATA_DIR.`);
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) return problem(name, `${dataDir} is not a folder. Set DATA_DIR to one.`);
  if (found && isWritable(dataDir)) return ok(name, `${dataDir} is writable.`);
  if (found) return problem(name, `${dataDir} is not writable for this user. Change its owner, or set DATA_DIR.`);
  const parent = existingFolder(dataDir);
  if (isWritable(parent))
    return warning(name, `${dataDir} does not exist. It is created at the first start; if it should exist, set DATA_DIR.`);
  return problem(name, `${dataDir} does not exist, and cannot be created in ${parent}. Create it, or set DATA_DIR.`);
}

/** Whether this user can see what is in the data folder. True if there is none. */
export function isReachable({ dataDir }: Pick<Configuration, 'dataDir'>): boolean {
  try {
    accessSync(dataDir, constants.R_OK | constants.X_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EACCES';
  }
}

export function checkMasterKey(configuration: Configuration): Check {
  const name = 'master key';
  if (configuration.masterKey !== null) return ok(name, 'It is set by MASTER_KEY.');
  const file = masterKeyFile(configuration);
  if (!existsSync(file))
    return warning(
      name,
      `There is no ${file}. The service creates one when it first starts with a new database; for a restored backup, put the old one there.`,
    );
  try {
    const count = findMasterKeys(configuration)?.length ?? 0;
    const former = count > 1 ? ` It also has keys for backups from before the last rotation: ${count - 1}.` : '';
    return ok(name, `${file} exists${configuration.masterKeyFile === null ? ', and only its owner can read it' : ''}.${former}`);
  } catch (error) {
    return problem(name, formatError(error));
  }
}

export function checkHttps({ environment, tls, proxies }: Configuration): Check {
  const name = 'https';
  if (environment !== 'production') return ok(name, `Not needed: the environment is ${environment}.`);
  if (tls) return ok(name, 'The service terminates TLS itself.');
  if (!proxies.isEmpty) return ok(name, 'A trusted proxy terminates TLS.');
  return warning(name, 'Keys are refused over plain HTTP: set TLS_CERT and TLS_KEY, or TRUSTED_PROXIES to the proxy that terminates TLS.');
}

/** Only the dates: `readConfiguration` has checked that the key belongs to the certificate. */
export function checkCertificate({ tls }: { tls: Pick<Tls, 'cert'> | null }, now: number): Check[] {
  if (!tls) return [];
  const { validFrom, validTo } = new X509Certificate(tls.cert);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  const day = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
  const expiry = `on ${day(to)}. Replace the files of TLS_CERT and TLS_KEY: the service reads them every 30 seconds.`;
  const name = 'certificate';
  if (now < from) return [problem(name, `The certificate in TLS_CERT is not valid before ${day(from)}. Check the clock, or replace it.`)];
  if (now > to) return [problem(name, `The certificate in TLS_CERT expired ${expiry}`)];
  if (now > to - 14 * oneDayMs) return [warning(name, `The certificate in TLS_CERT expires ${expiry}`)];
  return [ok(name, `The certificate in TLS_CERT is valid until ${day(to)}.`)];
}

export async function checkSiteModule({ siteModule }: Configuration): Promise<Check> {
  const name = 'site module';
  if (siteModule === null) return ok(name, 'None is configured.');
  try {
    await loadSiteModule(siteModule);
    return ok(name, `${siteModule} loads.`);
  } catch (error) {
    return problem(name, formatError(error));
  }
}

export function checkClock(now: number, installedAt = statSync(fileURLToPath(import.meta.url)).mtimeMs): Check {
  const time = new Date(now).toISOString();
  if (now < installedAt - oneDayMs) return problem('clock', `The clock says ${time}, before this program was installed. Set the clock.`);
  return ok('clock', `The clock says ${time}.`);
}
