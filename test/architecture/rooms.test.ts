import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';

const depcruise = (cwd: string) =>
  spawnSync(path.resolve('node_modules/.bin/depcruise'), ['--config', '.dependency-cruiser.cjs', '.'], { cwd, encoding: 'utf8' });

/** A house of two files, the first of which imports the second. */
function imports(from: string, to: string, source = `import '${path.posix.relative(path.posix.dirname(from), to)}';`): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rooms-'));
  const write = (file: string, text: string): void => {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  try {
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) copyFileSync(file, path.join(folder, file));
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    write(to, 'export {};');
    write(from, source.replace(/^import '(?!\.)/, "import './"));
    return depcruise(folder).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the rooms of the house', () => {
  it('hold: no import of the project runs the wrong way or in a circle', () => {
    const run = depcruise('.');
    expect(run.status, run.stdout).to.equal(0);
  });

  const wrongWays = [
    ['domain/payouts.ts', 'server/app.ts', 'domain-imports-only-what-is-below'],
    ['domain/payouts.ts', 'db/payouts.ts', 'domain-imports-only-what-is-below'],
    ['db/payouts.ts', 'site/settings.ts', 'db-imports-only-what-is-below'],
    ['site/settings.ts', 'handlers/keys.ts', 'site-imports-only-what-is-below'],
    ['handlers/keys.ts', 'db/keys.ts', 'handlers-imports-only-what-is-below'],
    ['handlers/keys.ts', 'server/app.ts', 'handlers-imports-only-what-is-below'],
    ['server/app.ts', 'test/support.ts', 'server-imports-only-what-is-below'],
    ['generated/operations.ts', 'domain/errors.ts', 'generated-imports-only-what-is-below'],
  ] as const;
  for (const [from, to, rule] of wrongWays)
    it(`are closed upwards: ${path.dirname(from)}/ cannot import ${path.dirname(to)}/`, () => {
      expect(imports(from, to)).to.include(rule);
    });

  it('keep libraries out of the domain', () => {
    expect(imports('domain/payouts.ts', 'domain/other.ts', "import Koa from 'koa'; export const app = Koa;")).to.include(
      'domain-knows-no-library',
    );
  });

  it('keep the contract tools out of the running service', () => {
    const source = "import openapiTS from 'openapi-typescript'; export const tool = openapiTS;";
    expect(imports('server/app.ts', 'server/other.ts', source)).to.include('contract-tools-stay-at-build-time');
  });
});
