import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { peersFolder } from './targets.ts';

const lock = path.join(peersFolder, 'package-lock.json');
/** What npm wrote down of what it installed. */
const installed = path.join(peersFolder, 'node_modules', '.package-lock.json');

const isInstalled = (): boolean => existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;

/** At the first use, and when their versions have changed. */
export function installPeers(say: (line: string) => void): void {
  if (isInstalled()) return;
  const { dependencies } = JSON.parse(readFileSync(path.join(peersFolder, 'package.json'), 'utf8')) as { dependencies: object };
  say(`Installing what the service is measured against, once: ${Object.keys(dependencies).join(', ')}.`);
  say('better-sqlite3 is compiled where there is no build of it for this machine, which takes some minutes.');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: peersFolder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm ci failed in ${peersFolder}; what it said stands above.`);
}
