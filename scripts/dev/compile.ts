import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildFailure, build, type Plugin } from 'esbuild';
import type { Problem } from './problem.ts';
import { commandFolders, filesBelow, rooms } from './rooms.ts';

/** The service as plain JavaScript, file by file as it is written: it starts in half the time. Its own copy, so that it is of one piece. */
export const compiledFolder = 'dist/dev/service';

const isSource = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('.d.ts');

/** All of it, from what is on the disk. */
export async function compileAll(): Promise<void> {
  rmSync(compiledFolder, { recursive: true, force: true });
  mkdirSync(path.join(compiledFolder, 'generated'), { recursive: true });
  copyFileSync('package.json', path.join(compiledFolder, 'package.json'));
  copyFileSync('generated/openapi.json', path.join(compiledFolder, 'generated/openapi.json'));
  await run([...filesBelow([...rooms, ...commandFolders]).keys(), 'scripts/dev/service-process.ts'].filter(isSource), {});
}

/** These files, with what is given for those in generated/. Says what cannot be read as TypeScript. */
export async function compile(changed: readonly string[], generated: Readonly<Record<string, string>>): Promise<Problem[]> {
  const sources = changed.filter(isSource);
  for (const file of sources.filter((file) => !existsSync(file) && generated[file] === undefined))
    rmSync(compiledPath(file), { force: true });
  for (const file of changed.filter((name) => name.endsWith('.json')))
    if (generated[file] !== undefined) writeFileSync(path.join(compiledFolder, file), generated[file]);
  try {
    await run(
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

const compiledPath = (file: string): string => path.join(compiledFolder, file.replace(/\.ts$/, '.js'));

async function run(entryPoints: string[], generated: Readonly<Record<string, string>>): Promise<void> {
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
    plugins: [fileByFile, given(generated)],
  });
}

/** Leaves every import where it is, and names what is compiled. */
const fileByFile: Plugin = {
  name: 'file by file',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path: source }) =>
      kind === 'entry-point' ? undefined : { path: source.replace(/\.ts$/, '.js'), external: true },
    ),
};

const given = (generated: Readonly<Record<string, string>>): Plugin => ({
  name: 'what will be in generated',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]generated[\\/][^\\/]+\.ts$/ }, ({ path: file }) => {
      const contents = generated[`generated/${path.basename(file)}`];
      return contents === undefined ? undefined : { contents, loader: 'ts' };
    }),
});
