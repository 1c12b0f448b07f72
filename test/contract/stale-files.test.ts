import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { replaceFiles, requireCurrent } from '../../scripts/generate/stale-files.ts';
import { temporaryFolder } from '../support/postgres.ts';

describe('generated files', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder('generated-');
  });

  const at = (name: string): string => path.posix.join(folder, name);

  it('are checked in both directions: what is stale, and what nothing makes', () => {
    writeFileSync(at('a.ts'), 'old');
    writeFileSync(at('left.ts'), 'left');
    expect(() => requireCurrent({ folder, source: 'openapi/', contents: { [at('a.ts')]: 'new' } })).to.throw(
      `${at('a.ts')} does not follow from openapi/. Run \`npm run generate\` and commit what it writes.\n${at('left.ts')} follows from nothing. Delete it.`,
    );
  });

  it('all stay as they were if one of them cannot be written, and nothing is left beside them', () => {
    writeFileSync(at('a.ts'), 'old');
    // A folder in the place of the second file that is written beside.
    mkdirSync(at('.b.ts.tmp'));
    expect(() => replaceFiles({ [at('a.ts')]: 'new', [at('b.ts')]: 'new' })).to.throw('EISDIR');
    expect([readFileSync(at('a.ts'), 'utf8'), readdirSync(folder)]).to.deep.equal(['old', ['a.ts']]);
  });

  it('are all replaced, and nothing else is left beside them', () => {
    writeFileSync(at('a.ts'), 'old');
    expect(replaceFiles({ [at('a.ts')]: 'new', [at('b.ts')]: 'new' })).to.deep.equal([at('a.ts'), at('b.ts')]);
    expect(readdirSync(folder).map((name) => readFileSync(at(name), 'utf8'))).to.deep.equal(['new', 'new']);
  });
});
