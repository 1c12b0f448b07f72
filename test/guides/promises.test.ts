import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';

const readme = `See [the guide](docs/guides/open.md).

Open http://127.0.0.1:8080/shop, then http://127.0.0.1:8080/shop/months.

\`\`\`bash
npm run demo   # a demo
npm start
\`\`\`
`;
const guide = `**Payouts** lists them. **Nothing** is no page. Without a password, see \`/sign-in\`; \`GET /payouts\` is a call.

| page | what it is for |
|---|---|
| Orders | all |
`;

/** Runs the check on a project of these journeys, with a README, one guide, two pages of the console and the sign-in page. */
function check(journey: string): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'promises-'));
  const files = {
    'README.md': readme,
    'docs/guides/open.md': guide,
    'web/console/pages.ts': "const entries = [{ title: 'Payouts' }, { title: 'Orders' }];",
    'server/pages/sign-in.ts': "router.get('/sign-in', show);",
    'test/journeys/owner.journey.ts': journey,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const args = ['--import', path.resolve('node_modules/tsx/dist/loader.mjs'), path.resolve('scripts/check/promises.ts')];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => /^(README|docs)/.test(line));
  expect(status, stderr).to.equal(lines.length > 0 ? 1 : 0);
  return lines;
}

const promises = [
  ['README.md', 'npm run demo'],
  ['README.md', 'npm start'],
  ['README.md', 'http://127.0.0.1:8080/shop'],
  ['README.md', 'http://127.0.0.1:8080/shop/months'],
  ['docs/guides/open.md', '/sign-in'],
  ['docs/guides/open.md', 'Payouts'],
  ['docs/guides/open.md', 'Orders'],
] as const;
const calls = promises.map(([page, text]) => `promised('${page}', '${text}');`);

describe('the check of what journeys walk', () => {
  it('passes if each command, page address and console page is in a call that it reads and does not run', () => {
    expect(check(`throw new Error('It ran.');\n${calls.join('\n')}`)).to.deep.equal([]);
  });

  it('lists each of them without a call by name', () => {
    expect(check('')).to.deep.equal(promises.map(([page, text]) => `${page}: ${text}`));
  });

  it('does not take a longer address, or a sentence that contains the name of a console page, for a promise', () => {
    const loose = [...calls.slice(0, 2), ...calls.slice(3, 5), "promised('docs/guides/open.md', 'Payouts lists them');", ...calls.slice(6)];
    expect(check(loose.join('\n'))).to.deep.equal(['README.md: http://127.0.0.1:8080/shop', 'docs/guides/open.md: Payouts']);
  });
});
