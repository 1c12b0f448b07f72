import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { errorTable } from '../../domain/errors.ts';
import { formatErrorReference, formatImportReference, formatSettingReference } from '../../scripts/generate/reference-pages.ts';
import { settingPaths } from '../../site/settings/settings.ts';
import { temporaryFolder } from '../support/postgres.ts';

const page = (name: string): string => readFileSync(`docs/reference/${name}.md`, 'utf8');

describe('docs/reference/', () => {
  it('is committed as npm run generate writes it, byte for byte', () => {
    expect(page('errors'), 'npm run generate').to.equal(formatErrorReference());
    expect(page('settings'), 'npm run generate').to.equal(formatSettingReference());
    expect(page('import'), 'npm run generate').to.equal(formatImportReference());
  });

  it('has every error code and every setting once', () => {
    const firstCells = (name: string): string[] => [...page(name).matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = '']) => cell);
    expect(firstCells('errors').toSorted()).to.deep.equal(Object.keys(errorTable).toSorted());
    expect(firstCells('settings').toSorted()).to.deep.equal(settingPaths.map((setting) => setting.path).toSorted());
  });

  it('is found stale by npm run check, which names the page and the command', () => {
    const script = path.resolve('scripts/generate/references.ts');
    const check = ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href, script, '--check'];
    const cwd = temporaryFolder('references-');
    for (const file of ['README.md', 'docs/BENCHMARKS.md']) cpSync(file, path.join(cwd, file));
    const { status, stderr } = spawnSync(process.execPath, check, { cwd, encoding: 'utf8' });
    expect([status, stderr]).to.deep.equal([
      1,
      ['errors', 'settings', 'import']
        .map(
          (name) =>
            `docs/reference/${name}.md does not follow from the code and the benchmarks. Run \`npm run generate\` and commit what it writes.\n`,
        )
        .join(''),
    ]);
    expect(readFileSync('scripts/check.ts', 'utf8')).to.include("'scripts/generate/references.ts', '--check'");
  });
});
