import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A copy of the contract's sources that a test may edit as a designer would: by hand, in one file. */
export class ContractCopy {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'contract-copy-'));
  readonly root = path.join(this.folder, 'openapi', 'openapi.yaml');

  constructor(...further: string[]) {
    for (const part of ['openapi', 'redocly.yaml', 'generated', 'scripts', 'package.json', 'tsconfig.json', ...further])
      cpSync(part, path.join(this.folder, part), { recursive: true });
    symlinkSync(path.resolve('node_modules'), path.join(this.folder, 'node_modules'));
  }

  edit(file: string, from: string | RegExp, to: string): void {
    const whole = path.join(this.folder, 'openapi', file);
    const before = readFileSync(whole, 'utf8');
    const after = before.replace(from, to);
    if (after === before) throw new Error(`${file} does not contain ${from}; the edit changed nothing`);
    writeFileSync(whole, after);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
