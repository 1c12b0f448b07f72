import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sourceFolders } from '../../scripts/shared/sources.ts';

const folders = [...sourceFolders.filter((name) => name !== 'client/src'), 'web', 'scripts', 'docs', 'client'];
const files = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  '.gitignore',
];
/** Files of a checkout that must not be packed. */
const stray = ['.env', 'data/demo/master.key', 'data/affiliate.sqlite', 'test/api/some.test.ts', 'coverage/index.html', 'docs/notes.md'];

/** A copy of the project in which nothing has been built. */
export interface Checkout {
  folder: string;
  /** Runs `npm pack` with its scripts. Returns the packed files and the folder in which they were unpacked. */
  pack(what: '.' | './client'): { files: string[]; unpacked: string };
  remove(): void;
}

export function createCheckout(): Checkout {
  const folder = mkdtempSync(path.join(tmpdir(), 'checkout-'));
  const isSource = (file: string): boolean => file !== path.join('client', 'dist');
  for (const name of folders) cpSync(name, path.join(folder, name), { recursive: true, filter: isSource });
  for (const name of files) cpSync(name, path.join(folder, name));
  for (const name of stray) put(path.join(folder, name));
  symlinkTools(folder);
  return {
    folder,
    pack: (what) => pack(what, folder),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function put(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'stray');
}

/** Links to the project's modules, in real folders: the build writes a link to its command there. */
function symlinkTools(folder: string): void {
  for (const name of ['node_modules', 'node_modules/.bin']) {
    mkdirSync(path.join(folder, name));
    for (const entry of readdirSync(name))
      if (entry !== '.bin' && entry !== 'affiliate') symlinkSync(path.resolve(name, entry), path.join(folder, name, entry));
  }
}

function pack(what: string, cwd: string): { files: string[]; unpacked: string } {
  const destination = mkdtempSync(path.join(cwd, 'packed-'));
  execFileSync('npm', ['pack', what, '--pack-destination', destination], { cwd, stdio: 'pipe' });
  const { name, version } = JSON.parse(readFileSync(path.join(cwd, what, 'package.json'), 'utf8')) as { name: string; version: string };
  const archive = path.join(destination, `${name}-${version}.tgz`);
  execFileSync('tar', ['-xzf', archive, '-C', destination]);
  const listed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n');
  return { files: listed.map((file) => file.replace(/^package\//, '')).sort(), unpacked: path.join(destination, 'package') };
}
