import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** What the tests need of the house. The rest, and above all the house itself, stays as it is. */
const copied = [
  ...['package.json', 'tsconfig.json', 'openapi', 'generated', 'domain', 'site', 'db', 'handlers', 'server', 'client', 'web'],
  ...['scripts', 'test'],
];

/** A copy of the house in which code may be changed. */
export class Sandbox {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'mutate-'));

  constructor() {
    const filter = (source: string): boolean => !/[\\/](node_modules|dist)$/.test(source);
    for (const name of copied) cpSync(path.join(root, name), path.join(this.folder, name), { recursive: true, filter });
    symlinkSync(path.join(root, 'node_modules'), path.join(this.folder, 'node_modules'));
  }

  read(file: string): string {
    return readFileSync(path.join(this.folder, file), 'utf8');
  }

  write(file: string, text: string): void {
    writeFileSync(path.join(this.folder, file), text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
