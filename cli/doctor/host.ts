import { existsSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseDatabaseUrl } from '../../db/database-url.ts';
import type { Configuration } from '../../server/configuration.ts';
import { type Check, ok, problem, warning } from './check.ts';

/** As in package.json: what is older lacks things that the service uses. */
const oldestNode = [20, 19] as const;

export function checkNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  return isOld
    ? problem('node', `Node ${version} is too old. Install Node ${oldestNode.join('.')} or later.`)
    : ok('node', `Node ${version}.`);
}

/** Berlin in summer is two hours ahead: a Node without time zones says otherwise, or throws. */
export function checkTimeZones(hourIn: (zone: string) => string = hourOfJuly): Check {
  try {
    if (hourIn('Europe/Berlin') === '14') return ok('time zones', 'Node knows them.');
  } catch {
    // Told below, whatever it was.
  }
  return problem('time zones', 'This Node knows no time zones, so days would begin at the wrong hour. Install a Node with full ICU data.');
}

const hourOfJuly = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' }).format(Date.parse('2026-07-01T12:00:00Z'));

const megabyte = 2 ** 20;

/** Null on PostgreSQL, and where the url makes no sense: that is told when it is opened. */
function fileOf(databaseUrl: string): string | null {
  try {
    const location = parseDatabaseUrl(databaseUrl);
    return location.engine === 'sqlite' ? location.path : null;
  } catch {
    return null;
  }
}

/** Where the data lies, or will. A database that finds no room takes no orders. */
export function checkDisk({ dataDir, databaseUrl }: Configuration, freeIn: (folder: string) => number = freeBytes): Check[] {
  const file = fileOf(databaseUrl);
  const folder = nearestFolder(file === null ? dataDir : path.dirname(path.resolve(file)));
  const free = Math.floor(freeIn(folder) / megabyte);
  const says = `There are ${free} MB left where ${folder} lies.`;
  if (free < 100) return [problem('disk', `${says} Make room, or move DATA_DIR.`)];
  return [free < 1000 ? warning('disk', `${says} Make room before it is full.`) : ok('disk', says)];
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The folder itself, or the one that is there and that it would be made in. */
export const nearestFolder = (folder: string): string => (existsSync(folder) ? folder : nearestFolder(path.dirname(folder)));

/** It holds addresses and hashes of passwords. */
export function checkPrivacy({ databaseUrl }: Configuration): Check[] {
  const file = fileOf(databaseUrl);
  const found = file === null ? undefined : statSync(file, { throwIfNoEntry: false });
  if (!found || (found.mode & 0o077) === 0) return [];
  return [warning('privacy', `${file} can be read by other users of this machine. Run: chmod 600 ${file}`)];
}

/** A store that seems empty may be one that was looked for in the wrong place. */
export function elsewhere({ databaseUrl }: Configuration, places = usualPlaces): string {
  const file = fileOf(databaseUrl);
  if (file === null) return '';
  const other = places.map((place) => path.resolve(place)).find((place) => place !== path.resolve(file) && existsSync(place));
  return other ? ` There is one at ${other}: is DATA_DIR what you meant?` : '';
}

const usualPlaces = ['data/affiliate.sqlite', '/var/lib/affiliate-api/affiliate.sqlite'];
