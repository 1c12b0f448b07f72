import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { computeFingerprint, isBuilt, saveFingerprint } from '../../scripts/build/fingerprint.ts';
import { temporaryFolder } from '../support/postgres.ts';

describe('npm run build', () => {
  it('compiles only after a change of the sources, and when a result is missing', () => {
    const folder = temporaryFolder('build-');
    const write = (file: string, text = ''): void => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    };
    const isCurrent = (): boolean => isBuilt(folder, computeFingerprint(folder));
    for (const file of ['cli/affiliate.ts', 'web/icon.svg', 'package-lock.json']) write(file, 'one');
    const built = ['reference.js', 'console.js', 'affiliate.js', 'guides.json'].map((file) => `web/${file}`);
    for (const file of ['cli/affiliate.js', 'generated/openapi.json', ...built]) write(`dist/${file}`);
    expect(isCurrent()).to.equal(false);
    saveFingerprint(folder, computeFingerprint(folder));
    expect(isCurrent()).to.equal(true);
    utimesSync(path.join(folder, 'cli/affiliate.ts'), 1, 1);
    expect(isCurrent(), 'another date').to.equal(true);
    for (const file of ['cli/affiliate.ts', 'web/icon.svg', 'package-lock.json', 'db/new.ts']) {
      write(file, 'two');
      expect(isCurrent(), file).to.equal(false);
      saveFingerprint(folder, computeFingerprint(folder));
    }
    rmSync(path.join(folder, 'dist/web/reference.js'));
    expect(isCurrent(), 'without a result').to.equal(false);
  });
});
