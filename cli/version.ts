import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** package.json is above dist/, and right above the sources. */
const places = ['../package.json', '../../../package.json'];

export function versionOfPackage(): string {
  const file = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((candidate) => existsSync(candidate));
  return file === undefined ? 'unknown' : (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
