import { readFileSync } from 'node:fs';
import { expect } from 'chai';

describe('the browser tests', () => {
  it('are left out here: `npm run test:browser` runs them, with chromium', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    expect(scripts['test:browser']).to.include('test/browser/*.browser.ts');
    expect(readFileSync('.ci/run', 'utf8')).to.include('npm run test:browser');
  });
});
