import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const suites = {
  'test:browser': 'test/browser/*.browser.ts',
  'test:journeys': 'test/journeys/*.journey.ts',
  'test:postgres': '.mocharc.postgres.cjs',
};

for (const [name, files] of Object.entries(suites))
  describe(files, () => {
    it(`is run by \`npm run ${name}\` and by .ci/run, since \`npm test\` needs no chromium and ends in minutes`, () => {
      const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
      expect(scripts[name]).to.include(files);
      expect(readFileSync('.ci/run', 'utf8')).to.include(`npm run --silent ${name}`);
    });
  });
