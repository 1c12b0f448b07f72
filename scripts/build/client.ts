/** `npm run build:client`: a self-contained package in client/dist, or in the folder given as argument, with its part of generated/. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const target = process.argv[2] ?? 'client/dist';

const renamed: Record<string, string> = { 'generated/client': 'contract', 'generated/api': 'contract-types' };

/** The name in the package of a file, which is relative to the project and without its extension. */
const packageName = (file: string): string => renamed[file] ?? path.basename(file);

/** `from '../../generated/client.ts'` becomes `from './contract.js'`. */
const rewriteImports = (text: string, folder: string): string =>
  text.replaceAll(
    /(from ['"])(\.[^'"]+?)(?:\.d)?\.[jt]s(?=['"])/g,
    (_, from: string, file: string) => `${from}./${packageName(path.join(folder, file))}.js`,
  );

function write(folder: string, file: string, text: string): void {
  // The JavaScript of a module of types.
  if (text.trim() === 'export {};') return;
  const [, base = '', extension = ''] = /^(.+?)(\.d\.ts|\.js)$/.exec(file) ?? [];
  writeFileSync(path.join(target, packageName(path.join(folder, base)) + extension), rewriteImports(text, folder));
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
        write(folder, file, readFileSync(path.join(compiled, folder, file), 'utf8'));
    write('generated', 'api.d.ts', readFileSync('generated/api.d.ts', 'utf8'));
  }
} finally {
  rmSync(compiled, { recursive: true });
}
