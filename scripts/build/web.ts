import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = fileURLToPath(new URL('../../web/', import.meta.url));

/** Makes the files that the browser loads: one script, one style, one picture. */
export async function buildWeb(folder: string): Promise<void> {
  await build({
    entryPoints: { reference: path.join(source, 'reference/main.ts') },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    tsconfig: path.join(source, 'tsconfig.json'),
  });
  await build({
    entryPoints: { reference: path.join(source, 'reference/styles/reference.css') },
    outdir: folder,
    bundle: true,
    minify: true,
    charset: 'utf8',
    // As they are written: every browser that knows light-dark() knows the rest.
    target: 'chrome123',
    logLevel: 'warning',
  });
  copyFileSync(path.join(source, 'icon.svg'), path.join(folder, 'icon.svg'));
}
