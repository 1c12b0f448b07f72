import { readFileSync } from 'node:fs';
import { expect } from 'chai';

describe('the browser tests', () => {
  it('are run by `npm run test:browser` and by .ci/run, since `npm test` needs no chromium', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    expect(scripts['test:browser']).to.include('test/browser/*.browser.ts');
    expect(readFileSync('.ci/run', 'utf8')).to.include('npm run test:browser');
  });
});
