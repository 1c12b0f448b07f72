import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '../support/postgres.ts';

const run = promisify(execFile);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Runs the script of package.json as npm does, in a shell. */
async function runScript(name: string, edit: (script: string) => string): Promise<string> {
  const { NODE_V8_COVERAGE: _coverage, ...env } = process.env;
  const PATH = `${path.resolve('node_modules/.bin')}:${env['PATH']}`;
  return (await run('sh', ['-c', edit(scripts[name] ?? '')], { env: { ...env, PATH } })).stdout;
}

// Those that are run neither by another test nor by .ci/run.
describe('the commands of CONTRIBUTING.md', () => {
  it('npm run bench starts, and lists its options', async () => {
    expect(await runScript('bench', (script) => `${script} --help`)).to.match(/^npm run bench\b/);
  });

  it('npm run prove starts, and lists its checks', async () => {
    expect(await runScript('prove', (script) => `${script} --list`)).to.match(/^fuzz +requests from the contract[^]*\nload-postgres /);
  });

  it('npm run coverage reports the coverage of the tests that it runs', async () => {
    const ofOneFile = (script: string): string =>
      script
        .replace('"test/**/*.test.ts"', 'test/domain/dates.test.ts')
        .replace('c8 ', `c8 --all=false --reports-dir ${temporaryFolder('coverage-')} `);
    expect(await runScript('coverage', ofOneFile))
      .to.match(/[1-9]\d* passed, 0 failed/)
      .and.match(/dates\.ts/);
  });
});
