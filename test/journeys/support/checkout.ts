import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runAfterAllTests } from '../../support/cleanup.ts';

/** An empty folder for the time of the journey. */
export function emptyFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `journey-${name}-`));
  runAfterAllTests(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** What a person downloads: the files under version control, with what is edited, without modules, builds and caches. */
export function downloadCheckout(): string {
  const folder = emptyFolder('checkout');
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { encoding: 'utf8' });
  for (const file of new Set(listed.split('\0').filter((name) => name !== '' && existsSync(name)))) cpSync(file, path.join(folder, file));
  return folder;
}
