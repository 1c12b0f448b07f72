import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { type ErrorCode, errorTable } from '../../domain/errors.ts';
import { errorAdvice } from '../../site/document/error-advice.ts';
import { buildGuides } from './guides.ts';

const source = fileURLToPath(new URL('../../web/', import.meta.url));

/** The sentence of each error code and what to do about it, which the page shows beside the contract. */
const errorCatalog = Object.fromEntries(
  (Object.keys(errorTable) as ErrorCode[]).map((code) => [code, [errorTable[code].message, errorAdvice[code]]]),
);

/**
 * Builds what the browser loads: a script and a stylesheet for each page, one icon; the script for shops; and the guides, which the service makes
 * pages of.
 */
export async function buildWeb(folder: string): Promise<void> {
  const { guides, headings } = buildGuides();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'guides.json'), JSON.stringify(guides));
  const shared: BuildOptions = { outdir: folder, bundle: true, minify: true, charset: 'utf8', logLevel: 'warning' };
  await build({
    ...shared,
    entryPoints: { reference: path.join(source, 'reference/main.ts'), console: path.join(source, 'console/main.tsx') },
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    // Declared in web/reference/built-in.d.ts.
    define: { ERROR_CATALOG: JSON.stringify(errorCatalog), GUIDE_HEADINGS: JSON.stringify(headings) },
    tsconfig: path.join(source, 'tsconfig.json'),
  });
  // For the pages of shops, whose visitors have older browsers too.
  await build({ ...shared, entryPoints: { affiliate: path.join(source, 'affiliate/affiliate.ts') }, format: 'iife', target: 'es2018' });
  // The target of light-dark(), so that esbuild leaves the CSS as written.
  const styles = {
    reference: path.join(source, 'reference/styles/reference.css'),
    console: path.join(source, 'console/styles/console.css'),
  };
  await build({ ...shared, entryPoints: styles, target: 'chrome123' });
  copyFileSync(path.join(source, 'icon.svg'), path.join(folder, 'icon.svg'));
}
