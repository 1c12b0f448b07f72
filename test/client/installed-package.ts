import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transformSync } from 'esbuild';

/** An empty project with the packed client installed, for the programs of the guides and examples. */
export interface InstalledPackage {
  folder: string;
  /** The files of the package, as npm packs them. */
  files: string[];
  /** Writes a program, and its JavaScript beside it. Returns the name of the file for Node. */
  addProgram(name: string, source: string): string;
  /** The output of the compiler for all programs. */
  typeErrors(): string;
  remove(): void;
}

export function installPackage(): InstalledPackage {
  const folder = mkdtempSync(path.join(tmpdir(), 'client-installed-'));
  const sources = path.join(folder, 'package-sources');
  const modules = path.join(folder, 'node_modules');
  mkdirSync(sources);
  for (const file of ['package.json', 'README.md', 'LICENSE']) copyFileSync(path.join('client', file), path.join(sources, file));
  run(process.execPath, ['--import', 'tsx', 'scripts/build/client.ts', path.join(sources, 'dist')]);
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: sources, stdio: 'pipe' });
  const [{ filename, files }] = JSON.parse(packed.toString()) as [{ filename: string; files: { path: string }[] }];
  mkdirSync(path.join(modules, '@types'), { recursive: true });
  run('tar', ['-xzf', path.join(folder, filename), '-C', modules]);
  cpSync(path.join(modules, 'package'), path.join(modules, 'affiliate-program-client'), { recursive: true });
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    cpSync(path.join('node_modules', name), path.join(modules, name), { recursive: true });
  // For the programs, which run in Node. The package needs no types of Node.
  for (const name of ['@types/node', 'undici-types']) symlinkSync(path.resolve('node_modules', name), path.join(modules, name));
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module", "private": true }');
  return {
    folder,
    files: files.map((file) => file.path).sort(),
    addProgram: programWriter(folder),
    typeErrors: typeChecker(folder),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function programWriter(folder: string): InstalledPackage['addProgram'] {
  return (name, source) => {
    writeFileSync(path.join(folder, name), source);
    if (!name.endsWith('.ts')) return name;
    const javascript = name.replace(/\.ts$/, '.js');
    writeFileSync(path.join(folder, javascript), transformSync(source, { loader: 'ts', format: 'esm' }).code);
    return javascript;
  };
}

const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };

function typeChecker(folder: string): InstalledPackage['typeErrors'] {
  return () => {
    const compilerOptions = {
      ...strict,
      target: 'es2022',
      module: 'nodenext',
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
    };
    const include = readdirSync(folder).filter((file) => file.endsWith('.ts'));
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: include }));
    return compile(folder);
  };
}

/** The output of the compiler for a program with browser types only. */
export function browserTypeErrors({ folder }: InstalledPackage): string {
  const page = path.join(folder, 'page');
  mkdirSync(page);
  const source = `import { createApi, follow, pages, verifyWebhook } from 'affiliate-program-client';
export const api = createApi({ session: true });
export const all = [follow(api), pages(api.coupons.list).items(), verifyWebhook];
// @ts-expect-error an id is a number
void (() => api.coupons.get('17'));
`;
  writeFileSync(path.join(page, 'page.ts'), source);
  const compilerOptions = {
    ...strict,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    noEmit: true,
    skipLibCheck: true,
  };
  writeFileSync(path.join(page, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.ts'] }));
  return compile(page);
}

function compile(folder: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder], { encoding: 'utf8' });
  return stdout + stderr;
}

function run(command: string, args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
}

/** The code blocks of a page in one language, in order. */
export const codeBlocks = (page: string, language: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, source = '']) => source);
