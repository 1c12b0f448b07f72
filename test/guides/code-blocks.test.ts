import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import { readConfiguration } from '../../server/configuration.ts';
import { treatmentOf, treatments } from './block-coverage.ts';
import { type Block, blocksOf, pages } from './pages.ts';

const blocks = pages.flatMap(blocksOf);
const nameOf = ({ page, line, language }: Block): string => `${page}:${line} (${language || 'no language'})`;

const whatToDo = `Every block of code on a page is run or compiled by a test. Commands are marked bash, and test/guides/commands.test.ts runs those of its
pages as they stand. Anything else needs a line in test/guides/block-coverage.ts: the test that runs it, or why there is none.`;

/** The parser that Redocly reads the contract with. */
const { load: parseYaml } = createRequire(createRequire(import.meta.url).resolve('@redocly/cli/package.json'))('js-yaml') as {
  load(text: string): unknown;
};

describe('every block of code in the README, the guides and the references', () => {
  it('is run, compiled or parsed by a test, or the table says why not', () => {
    const untreated = blocks.filter((block) => !treatmentOf(block)).map(nameOf);
    expect(untreated, whatToDo).to.deep.equal([]);
  });

  it('leaves no treatment behind when it is gone', () => {
    const used = new Set(blocks.map(treatmentOf));
    expect(treatments.filter((treatment) => !used.has(treatment))).to.deep.equal([]);
  });

  it('is named by the test that is said to run it', () => {
    for (const block of blocks) {
      const by = treatmentOf(block)?.by;
      if (by && 'test' in by) expect(readFileSync(by.test, 'utf8'), `${by.test} does not name ${block.page}`).to.include(block.page);
    }
  });

  it('can be parsed where it is data', () => {
    const parsers = { yaml: parseYaml, json: JSON.parse } as Record<string, (text: string) => unknown>;
    const ofData = ['openapi/EXTENSIONS.md', 'docs/guides/run-in-production.md', 'docs/reference/errors.md'].flatMap(blocksOf);
    const parsed = ofData.filter(({ language, source }) => parsers[language]?.(source) !== undefined);
    expect(new Set(parsed.map(({ page, language }) => `${page} ${language}`))).to.deep.equal(
      new Set(['openapi/EXTENSIONS.md yaml', 'docs/guides/run-in-production.md yaml', 'docs/reference/errors.md json']),
    );
  });
});

describe('the pages', () => {
  it('link to files that are there', () => {
    const broken = pages.flatMap((page) => {
      const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)|(?:src|srcset|href)="([^"#]+)"/g)];
      return links
        .map(([, inText, inTag]) => inText ?? inTag ?? '')
        .filter((link) => !/^(https?:|mailto:)/.test(link) && !existsSync(path.join(path.dirname(page), link)))
        .map((link) => `${page}: ${link}`);
    });
    expect(broken).to.deep.equal([]);
  });

  it('name every environment variable that the service reads, in the table of the README', () => {
    const asked = new Set<string>();
    const env = new Proxy<Record<string, string>>({}, { get: (_, name) => void asked.add(String(name)) });
    readConfiguration(env);
    const readme = readFileSync('README.md', 'utf8');
    const inTable = [...readme.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(([, names = '']) => names.replaceAll('`', '').split(', '));
    const expected = [...asked].filter((name) => !name.endsWith('_FILE'));
    expect(inTable.toSorted()).to.deep.equal(expected.toSorted());
    for (const name of [...asked].filter((each) => each.endsWith('_FILE'))) expect(readme).to.include(`\`${name}\``);
  });
});
