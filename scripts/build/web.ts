import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const source = fileURLToPath(new URL('../../web/', import.meta.url));

/** Builds what the browser loads: one script, one stylesheet, one icon. */
export async function buildWeb(folder: string): Promise<void> {
  const shared: BuildOptions = { outdir: folder, bundle: true, minify: true, charset: 'utf8', logLevel: 'warning' };
  await build({
    ...shared,
    entryPoints: { reference: path.join(source, 'reference/main.ts') },
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    tsconfig: path.join(source, 'tsconfig.json'),
  });
  // The target of light-dark(), so that esbuild leaves the CSS as written.
  await build({ ...shared, entryPoints: { reference: path.join(source, 'reference/styles/reference.css') }, target: 'chrome123' });
  copyFileSync(path.join(source, 'icon.svg'), path.join(folder, 'icon.svg'));
}
