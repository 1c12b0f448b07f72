import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A compiled version of this repository. Its package.json says where its entry points are, since they move between versions. */
export interface Checkout {
  folder: string;
  /** The `affiliate` command. */
  command: string;
  /** What `npm start` runs, after `node`. */
  start: string[];
  commit: string;
}

export function checkoutAt(folder: string, commit = ''): Checkout {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    bin: { affiliate: string };
    scripts: { start: string };
  };
  const command = path.resolve(folder, manifest.bin.affiliate);
  if (!existsSync(command)) throw new Error(`${command} is missing: run npm run build in ${folder}.`);
  const [, ...start] = manifest.scripts.start.split(' ');
  return { folder: path.resolve(folder), command, start, commit };
}

/** What is measured is what `npm start` runs. */
export function build(folder = '.'): void {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { cwd: folder, stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0) throw new Error('The service does not compile.');
}
