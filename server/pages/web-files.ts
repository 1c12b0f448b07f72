import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { programFolder } from '../contract/document.ts';
import { CompressedBody } from '../http/compressed-body.ts';

/** A guide of docs/guides/, converted to HTML by the build. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  /** For whom it is. Guides of a group follow each other. */
  readonly group: string;
  /** Its first sentence. */
  readonly lead: string;
  readonly html: string;
}

interface WebFile {
  readonly content: CompressedBody;
  readonly bytes: Buffer;
  /** With the hash of the content, so that browsers may cache it for ever. */
  readonly name: string;
}

export interface WebFiles {
  /** By their plain names. */
  readonly files: ReadonlyMap<string, WebFile>;
  readonly guides: readonly Guide[];
}

const types: Record<string, string> = {
  'reference.js': 'text/javascript; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'console.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};
const guidesFile = 'guides.json';
const trackingScript = 'affiliate.js';

/** In dist/, also when the service runs from its sources. */
const folders = ['web', 'dist/web'].map((folder) => path.join(programFolder, folder));

const isBuilt = (folder: string): boolean =>
  [...Object.keys(types), guidesFile, trackingScript].every((name) => existsSync(path.join(folder, name)));

/** The built files of web/. Null where nothing is built. */
export function readWebFiles(): WebFiles | null {
  const folder = folders.find(isBuilt);
  if (folder === undefined) return null;
  const files = new Map(Object.entries(types).map(([name, type]) => [name, readWebFile(folder, name, type)]));
  return { files, guides: JSON.parse(readFileSync(path.join(folder, guidesFile), 'utf8')) as Guide[] };
}

function readWebFile(folder: string, name: string, type: string): WebFile {
  const bytes = readFileSync(path.join(folder, name));
  const content = new CompressedBody(bytes, type);
  const { name: stem, ext } = path.parse(name);
  return { content, bytes, name: `${stem}-${content.hash}${ext}` };
}

/** The script for the pages of shops, without the values of settings. Null where nothing is built. */
export function readTrackingScript(): string | null {
  const folder = folders.find(isBuilt);
  return folder === undefined ? null : readFileSync(path.join(folder, trackingScript), 'utf8');
}
