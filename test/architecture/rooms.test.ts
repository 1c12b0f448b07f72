import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';

const depcruise = (cwd: string) =>
  spawnSync(path.resolve('node_modules/.bin/depcruise'), ['--config', '.dependency-cruiser.cjs', '.'], { cwd, encoding: 'utf8' });

interface Import {
  from: string;
  to: string;
  source?: string;
}

/** A house that has these imports and nothing else; gives what is said about it. */
function saidOf(imports: readonly Import[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rooms-'));
  const write = (file: string, text: string): void => {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  try {
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) copyFileSync(file, path.join(folder, file));
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    for (const { from, to, source = `import '${path.posix.relative(path.posix.dirname(from), to)}';` } of imports) {
      if (source.includes("'.")) write(to, 'export {};');
      write(from, source);
    }
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
    ['domain/orders.ts', 'db/orders.ts', 'domain-imports-only-what-is-below'],
    ['db/payouts.ts', 'site/settings.ts', 'db-imports-only-what-is-below'],
    ['site/served.ts', 'handlers/served.ts', 'site-imports-only-what-is-below'],
    ['handlers/keys.ts', 'db/keys.ts', 'handlers-imports-only-what-is-below'],
    ['handlers/users.ts', 'server/users.ts', 'handlers-imports-only-what-is-below'],
    ['server/http/http-server.ts', 'test/support.ts', 'server-imports-only-what-is-below'],
    ['generated/operations.ts', 'domain/errors.ts', 'generated-imports-only-what-is-below'],
    ['web/reference.ts', 'server/contract/served-documents.ts', 'web-imports-only-what-is-below'],
    ['server/reference.ts', 'web/page.ts', 'server-imports-only-what-is-below'],
    ['client/api.ts', 'domain/money.ts', 'client-imports-only-what-is-below'],
    ['cli/load.ts', 'scripts/load/run.ts', 'cli-imports-only-what-is-below'],
    ['cli/demo/year.ts', 'test/support/program.ts', 'cli-imports-only-what-is-below'],
    ['scripts/generate/types.ts', 'test/support/contract.ts', 'only-proofs-use-tests'],
    ['openapi/lint/plugin.ts', 'generated/events.ts', 'lint-knows-the-contract-alone'],
  ] as const;
  const libraries = [
    { from: 'domain/web.ts', to: 'koa', source: "import Koa from 'koa'; export const app = Koa;" },
    {
      from: 'server/types.ts',
      to: 'openapi-typescript',
      source: "import openapiTS from 'openapi-typescript'; export const tool = openapiTS;",
    },
    { from: 'cli/random.ts', to: 'fast-check', source: "import fc from 'fast-check'; export const random = fc;" },
  ];
  let said: string;
  before(() => {
    said = saidOf([...wrongWays.map(([from, to]) => ({ from, to })), ...libraries]);
  });

  for (const [from, to, rule] of wrongWays)
    it(`are closed upwards: ${path.dirname(from)}/ cannot import ${path.dirname(to)}/`, () => {
      expect(said).to.include(`${rule}: ${from} → ${to}\n`);
    });

  it('keep libraries out of the domain', () => {
    expect(said).to.match(/domain-knows-no-library: domain\/web\.ts → \S*koa/);
  });

  it('keep what only developers install out of the operator’s command', () => {
    expect(said).to.match(/commands-need-no-tools: cli\/random\.ts → \S*fast-check/);
  });

  it('keep the contract tools out of the running service', () => {
    expect(said).to.match(/contract-tools-stay-at-build-time: server\/types\.ts → \S*openapi-typescript/);
  });
});
