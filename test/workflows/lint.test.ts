import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { runRedocly } from '../../scripts/contract/redocly.ts';
import { allStories } from '../../scripts/workflows/workflow.ts';

const stories = allStories();
const lint = (...files: string[]) => runRedocly(['lint', ...files, '--config', 'openapi/workflows/redocly.yaml']);

describe('the files of openapi/workflows', () => {
  it('are the five stories', () => {
    expect(stories.map(({ name }) => name)).to.deep.equal([
      'application-to-paid-affiliate',
      'feed-followed',
      'key-life',
      'payout-cancelled-and-paid',
      'webhook-life',
    ]);
  });

  it('ask in their inputs for what they use, and for nothing else', () => {
    for (const { file, needs } of stories) {
      const [, required = ''] = /^ {6}required: \[(.+)\]$/m.exec(readFileSync(file, 'utf8')) ?? [];
      expect([...needs].toSorted(), file).to.deep.equal(required.split(', ').toSorted());
    }
  });

  it('are written so that the command can show every step', () => {
    for (const { file, title, summary, steps } of stories) {
      expect(title && summary, file).not.to.equal('');
      expect(steps.length, file).to.equal(readFileSync(file, 'utf8').match(/stepId:/g)?.length);
    }
  });

  it('lint clean', async () => {
    const { ok, stdout, stderr } = await lint(...stories.map(({ file }) => file));
    expect(ok, stdout + stderr).to.equal(true);
  });
});

describe('lint of a story', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'lint-stories-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('finds what nobody can read, what checks nothing, and what refers to nothing', async () => {
    const file = path.join(folder, 'broken.arazzo.yaml');
    const text = readFileSync('openapi/workflows/feed-followed.arazzo.yaml', 'utf8')
      .replace('../openapi.yaml', path.resolve('openapi/openapi.yaml'))
      .replace(/^ {2}summary: .+\n/m, '')
      .replace(/^ +description: And then there is nothing more\.\n/m, '')
      .replace(/ +successCriteria:\n +- condition: \$statusCode == 201\n/, '')
      .replace('$steps.wake-up.outputs.cursor', '$steps.wake-up.outputs.place')
      .concat('    outputs: { cursor: $steps.go-on.outputs.cursor }\n');
    writeFileSync(file, text);
    const { ok, stdout } = await lint(file);
    expect(ok).to.equal(false);
    expect(stdout)
      .to.include('summary is required. A story has a summary')
      .and.include('description is required. A step says in its description why')
      .and.include('successCriteria is required. A step says')
      .and.include('Output key "place" is not defined in step "wake-up".')
      .and.include('"outputs" is disallowed. A story is told to its end');
  });
});
