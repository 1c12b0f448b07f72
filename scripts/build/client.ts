import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Makes the client's package self-contained: what it uses of generated/ lies beside it. Another folder can be named, for trying out.
const target = process.argv[2] ?? 'client/dist';

const names: Record<string, string> = { 'generated/client': 'contract', 'generated/api': 'contract-types' };

/** The file without its ending, from the project's root, as it is called in the package. */
const nameOf = (file: string): string => names[file] ?? path.basename(file);

/** `from '../../generated/client.ts'` becomes `from './contract.js'`. */
const imported = (text: string, folder: string): string =>
  text.replaceAll(
    /(from ['"])(\.[^'"]+?)(?:\.d)?\.[jt]s(?=['"])/g,
    (_, from: string, file: string) => `${from}./${nameOf(path.join(folder, file))}.js`,
  );

/** What holds types alone runs nowhere. */
const isNeeded = (text: string): boolean => text.trim() !== 'export {};';

function put(folder: string, file: string, text: string): void {
  const [, base = '', ending = ''] = /^(.+?)(\.d\.ts|\.js)$/.exec(file) ?? [];
  if (isNeeded(text)) writeFileSync(path.join(target, nameOf(path.join(folder, base)) + ending), imported(text, folder));
}

const compiled = mkdtempSync(path.join(tmpdir(), 'client-'));
try {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'client/tsconfig.json', '--outDir', compiled];
  const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
  else {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    for (const folder of ['client/src', 'generated'])
      for (const file of readdirSync(path.join(compiled, folder)))
        put(folder, file, readFileSync(path.join(compiled, folder, file), 'utf8'));
    put('generated', 'api.d.ts', readFileSync('generated/api.d.ts', 'utf8'));
  }
} finally {
  rmSync(compiled, { recursive: true });
}
