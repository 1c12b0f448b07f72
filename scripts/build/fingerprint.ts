import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sourceFolders } from '../shared/sources.ts';

/** All that dist/ is made from. Packages are part of it by their lock file. */
const sources = [...sourceFolders, 'web', 'docs/guides', 'docs/reference', 'scripts/build.ts', 'scripts/build'];
const configurations = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

const file = 'dist/.fingerprint';
/** The last that a build writes, and one of each kind before it. */
const results = [
  'dist/cli/affiliate.js',
  'dist/generated/openapi.json',
  'dist/web/reference.js',
  'dist/web/affiliate.js',
  'dist/web/console.js',
  'dist/web/guides.json',
];

function listFiles(folder: string, place: string): string[] {
  if (!existsSync(path.join(folder, place))) return [];
  if (path.extname(place) !== '') return [place];
  return readdirSync(path.join(folder, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** A hash of the names and contents of all sources: unlike their dates, it is the same after a checkout. */
export function computeFingerprint(folder: string): string {
  const hash = createHash('sha256').update(process.version);
  for (const source of [...sources, ...configurations].flatMap((place) => listFiles(folder, place)))
    hash.update(`${source}\n`).update(readFileSync(path.join(folder, source)));
  return hash.digest('hex');
}

/** Whether the last build that ended well was of these sources, and its results are there. */
export const isBuilt = (folder: string, fingerprint: string): boolean =>
  [...results, file].every((result) => existsSync(path.join(folder, result))) &&
  readFileSync(path.join(folder, file), 'utf8') === fingerprint;

export const saveFingerprint = (folder: string, fingerprint: string): void => writeFileSync(path.join(folder, file), fingerprint);
