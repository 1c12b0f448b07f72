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

/** What dependency-cruiser reports about a project that has these imports and nothing else. */
function reportOn(imports: readonly Import[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'layers-'));
  const write = (file: string, text: string): void => {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  try {
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) copyFileSync(file, path.join(folder, file));
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    for (const { from, to, source = `import './${path.posix.relative(path.posix.dirname(from), to)}';` } of imports) {
      if (source.includes("'.")) write(to, 'export {};');
      write(from, source);
    }
    return depcruise(folder).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// That the project keeps to them is part of npm run check.
describe('the import rules of the layers', () => {
  const forbidden = [
    ['domain/payouts.ts', 'server/app.ts', 'domain-imports-only-lower-layers'],
    ['domain/orders.ts', 'db/orders.ts', 'domain-imports-only-lower-layers'],
    ['domain/coupons/handover.ts', 'domain/payouts/payout.ts', 'domain-folders-import-lower-ones'],
    ['domain/refunds/refund.ts', 'domain/money.ts', 'domain-folders-are-listed'],
    ['domain/program.ts', 'domain/orders/order.ts', 'domain-files-import-no-folder'],
    ['domain/users/create.ts', 'domain/repositories.ts', 'domain-functions-name-their-repositories'],
    ['db/payouts.ts', 'site/settings.ts', 'db-imports-only-lower-layers'],
    ['site/served.ts', 'handlers/served.ts', 'site-imports-only-lower-layers'],
    ['handlers/keys.ts', 'db/keys.ts', 'handlers-imports-only-lower-layers'],
    ['handlers/users.ts', 'server/users.ts', 'handlers-imports-only-lower-layers'],
    ['server/http/http-server.ts', 'test/support.ts', 'server-imports-only-lower-layers'],
    ['generated/operations.ts', 'domain/errors.ts', 'generated-imports-only-lower-layers'],
    ['web/reference.ts', 'server/contract/document.ts', 'web-imports-only-lower-layers'],
    ['web/console.ts', 'domain/payout-details/save.ts', 'web-imports-only-lower-layers'],
    ['domain/payout-details/iban.ts', 'domain/money.ts', 'shared-with-browsers-imports-nothing'],
    ['domain/payout-details/country.ts', 'domain/money.ts', 'shared-with-browsers-imports-nothing'],
    ['server/reference.ts', 'web/page.ts', 'server-imports-only-lower-layers'],
    ['client/api.ts', 'domain/money.ts', 'client-imports-only-lower-layers'],
    ['cli/load.ts', 'scripts/load/run.ts', 'cli-imports-only-lower-layers'],
    ['cli/demo/year.ts', 'test/support/program.ts', 'cli-imports-only-lower-layers'],
    ['scripts/generate/types.ts', 'test/support/contract.ts', 'scripts-import-no-tests'],
    ['openapi/lint/plugin.ts', 'generated/events.ts', 'lint-rules-import-no-code'],
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
  let report: string;
  before(() => {
    const allowed = { from: 'web/form.ts', to: 'domain/payout-details/iban.ts' };
    report = reportOn([allowed, ...forbidden.map(([from, to]) => ({ from, to })), ...libraries]);
  });

  for (const [from, to, rule] of forbidden)
    it(`find that ${path.dirname(from)}/ imports ${path.dirname(to)}/`, () => {
      expect(report).to.include(`${rule}: ${from} → ${to}\n`);
    });

  it('let the pages import the check of an IBAN', () => {
    expect(report).not.to.include('web/form.ts');
  });

  it('find a library in the domain', () => {
    expect(report).to.match(/domain-imports-no-library: domain\/web\.ts → \S*koa/);
  });

  it('find a development dependency in the affiliate command', () => {
    expect(report).to.match(/service-imports-no-dev-dependency: cli\/random\.ts → \S*fast-check/);
  });

  it('find a contract tool in the running service', () => {
    expect(report).to.match(/service-imports-no-contract-tool: server\/types\.ts → \S*openapi-typescript/);
  });
});
