import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '../support/postgres.ts';

const run = promisify(execFile);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

const { NODE_V8_COVERAGE: _coverage, ...env } = process.env;

// Those that are run neither by another test nor by .ci/run.
describe('the commands of CONTRIBUTING.md', () => {
  it('npm run prove and npm run bench start, and list their checks and options', async () => {
    const imported = (name: string): string => `await import(${JSON.stringify(`./${scripts[name]?.replace('tsx ', '')}`)});`;
    // Both in one process: it takes a second to start.
    const program = `${imported('prove')} process.argv = [process.execPath, 'bench', '--help']; ${imported('bench')}`;
    const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, '--', '--list'], { env });
    expect(stdout).to.match(/^fuzz +requests from the contract[^]*\nload-postgres [^]*\nnpm run bench\b/);
  });

  it('npm run coverage reports the coverage of the tests that it runs', async () => {
    const script = (scripts['coverage'] ?? '')
      .replace('"test/**/*.test.ts"', 'test/site/brand-color.test.ts')
      .replace('c8 ', `c8 --all=false --reports-dir ${temporaryFolder('coverage-')} `);
    // As npm does, in a shell.
    const PATH = `${path.resolve('node_modules/.bin')}:${env['PATH']}`;
    expect((await run('sh', ['-c', script], { env: { ...env, PATH } })).stdout)
      .to.match(/[1-9]\d* passed, 0 failed/)
      .and.match(/brand-color\.ts/);
  });
});
