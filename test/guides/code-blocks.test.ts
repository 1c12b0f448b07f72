import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { readConfiguration } from '../../server/configuration.ts';
import { parseYaml } from '../support/yaml.ts';
import { blockCoverage, findCoverage } from './block-coverage.ts';
import { type Block, listBlocks, pages } from './pages.ts';

const blocks = pages.flatMap(listBlocks);
const nameOf = ({ page, line, language }: Block): string => `${page}:${line} (${language || 'no language'})`;

const whatToDo = `Every code block on a page is run or compiled by a test. test/guides/commands.test.ts runs the bash blocks of its pages as written.
Other blocks need an entry in test/guides/block-coverage.ts: the test that runs them, or why there is none.`;

describe('every code block in the README, the guides and the references', () => {
  it('is run, compiled or parsed by a test, or has a reason why not', () => {
    const uncovered = blocks.filter((block) => !findCoverage(block)).map(nameOf);
    expect(uncovered, whatToDo).to.deep.equal([]);
  });

  it('has an entry in block-coverage.ts, which has no unused entries', () => {
    const used = new Set(blocks.map(findCoverage));
    expect(blockCoverage.filter((entry) => !used.has(entry))).to.deep.equal([]);
  });

  it('is on a page that its test names', () => {
    for (const block of blocks) {
      const by = findCoverage(block)?.by;
      if (by && 'test' in by) expect(readFileSync(by.test, 'utf8'), `${by.test} does not name ${block.page}`).to.include(block.page);
    }
  });

  it('can be parsed if it is YAML or JSON', () => {
    const parsers = { yaml: parseYaml, json: JSON.parse } as Record<string, (text: string) => unknown>;
    const dataPages = [
      'openapi/EXTENSIONS.md',
      'docs/guides/run-in-production.md',
      'docs/guides/let-an-agent-help.md',
      'docs/reference/errors.md',
    ];
    const ofData = dataPages.flatMap(listBlocks);
    const parsed = ofData.filter(({ language, source }) => parsers[language]?.(source) !== undefined);
    expect(new Set(parsed.map(({ page, language }) => `${page} ${language}`))).to.deep.equal(
      new Set([
        'openapi/EXTENSIONS.md yaml',
        'docs/guides/run-in-production.md yaml',
        'docs/guides/let-an-agent-help.md json',
        'docs/reference/errors.md json',
      ]),
    );
  });
});

describe('the documentation', () => {
  it('links only to files that exist', () => {
    const broken = pages.flatMap((page) => {
      const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)|(?:src|srcset|href)="([^"#]+)"/g)];
      return links
        .map(([, inText, inTag]) => inText ?? inTag ?? '')
        .filter((link) => !/^(https?:|mailto:)/.test(link) && !existsSync(path.join(path.dirname(page), link)))
        .map((link) => `${page}: ${link}`);
    });
    expect(broken).to.deep.equal([]);
  });

  it('has no image that no page shows', () => {
    const texts = pages.map((page) => readFileSync(page, 'utf8')).join('\n');
    expect(readdirSync('docs/images').filter((name) => !texts.includes(`images/${name}`))).to.deep.equal([]);
  });

  it('lists every environment variable of the service in the table of docs/guides/run-in-production.md', () => {
    const read = new Set<string>();
    const env = new Proxy<Record<string, string>>({}, { get: (_, name) => void read.add(String(name)) });
    readConfiguration(env);
    const guide = readFileSync('docs/guides/run-in-production.md', 'utf8');
    const inTable = [...guide.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(([, names = '']) => names.replaceAll('`', '').split(', '));
    const expected = [...read].filter((name) => !name.endsWith('_FILE'));
    expect(inTable.toSorted()).to.deep.equal(expected.toSorted());
    for (const name of [...read].filter((each) => each.endsWith('_FILE'))) expect(guide).to.include(`\`${name}\``);
  });
});
