import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildFailure, build, type Plugin } from 'esbuild';
import type { FileContents } from '../generate/stale-files.ts';
import { sourceFolders } from '../shared/sources.ts';
import { listFiles } from './file-watcher.ts';
import type { Problem } from './output.ts';

/** The service as JavaScript, one file for each source, which starts in half the time. */
export const compiledFolder = 'dist/dev/service';

const isSource = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('.d.ts');

export async function compileAll(): Promise<void> {
  rmSync(compiledFolder, { recursive: true, force: true });
  mkdirSync(path.join(compiledFolder, 'generated'), { recursive: true });
  copyFileSync('package.json', path.join(compiledFolder, 'package.json'));
  copyFileSync('generated/openapi.json', path.join(compiledFolder, 'generated/openapi.json'));
  await runEsbuild([...listFiles(sourceFolders).keys(), 'scripts/dev/service-process.ts'].filter(isSource), {});
}

/** Compiles the changed files, those in generated/ from the given contents. Returns what is not valid TypeScript. */
export async function compile(changed: readonly string[], generated: FileContents): Promise<Problem[]> {
  const compiledPath = (file: string): string => path.join(compiledFolder, file.replace(/\.ts$/, '.js'));
  const sources = changed.filter(isSource);
  for (const file of sources) if (!existsSync(file) && generated[file] === undefined) rmSync(compiledPath(file), { force: true });
  for (const file of changed) if (file.endsWith('.json')) writeFileSync(compiledPath(file), generated[file] ?? '');
  try {
    await runEsbuild(
      sources.filter((file) => existsSync(file)),
      generated,
    );
    return [];
  } catch (error) {
    return (error as BuildFailure).errors.map(({ text, location }) => ({
      file: location?.file ?? '',
      line: location?.line ?? 1,
      column: (location?.column ?? 0) + 1,
      sentence: text,
      rule: null,
      causes: [],
    }));
  }
}

async function runEsbuild(entryPoints: string[], generated: FileContents): Promise<void> {
  if (entryPoints.length === 0) return;
  await build({
    entryPoints,
    outdir: compiledFolder,
    outbase: '.',
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'linked',
    logLevel: 'silent',
    plugins: [keepImports, overlay(generated)],
  });
}

/** Keeps every import, with the name of the compiled file. */
const keepImports: Plugin = {
  name: 'keep imports',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path: source }) =>
      kind === 'entry-point' ? undefined : { path: source.replace(/\.ts$/, '.js'), external: true },
    ),
};

/** Reads generated/ from memory: it is written only when the whole contract is good. */
const overlay = (generated: FileContents): Plugin => ({
  name: 'overlay generated',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]generated[\\/][^\\/]+\.ts$/ }, ({ path: file }) => {
      const contents = generated[`generated/${path.basename(file)}`];
      return contents === undefined ? undefined : { contents, loader: 'ts' };
    }),
});
