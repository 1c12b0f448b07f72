import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { listCompletions } from '../../cli/commands/completion.ts';
import { createProgram } from '../../cli/program.ts';
import { maxRetryDelays } from '../../domain/webhooks/schedule.ts';
import { webhookEvents } from '../../generated/events.ts';
import { operations } from '../../generated/operations.ts';
import { schema } from '../../site/settings/schema.ts';
import { pages } from './pages.ts';

const textOf = (page: string): string => readFileSync(page, 'utf8');

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** All code on a page: in backticks and in blocks. */
const codeOf = (page: string): string[] =>
  [...textOf(page).matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, span]) => block ?? span ?? '');

const codeOnPages = pages.flatMap((page) => codeOf(page).map((code) => ({ page, code })));

const foldersOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => name);

describe('what the documentation mentions', () => {
  it('as npm run exists as a script', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = codeOnPages.flatMap(({ page, code }) =>
      [...code.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => ({ page, name })),
    );
    expect(named).to.have.length.above(20);
    expect(named.filter(({ name }) => !(name in scripts))).to.deep.equal([]);
  });

  it('as an affiliate command exists', () => {
    const routes = listCompletions(createProgram()).map(({ route }) => route);
    const groups = new Set(routes.filter((route) => routes.some((other) => other.startsWith(`${route} `))));
    const named = codeOnPages.flatMap(({ page, code }) =>
      [...code.matchAll(/(?:^|npx )affiliate ([a-z]+)(?: ([a-z][a-z-]+))?/gm)].map(([, first = '', second]) => ({
        page,
        route: groups.has(first) && second !== undefined ? `${first} ${second}` : first,
      })),
    );
    expect(named).to.have.length.above(30);
    expect(named.filter(({ route }) => !routes.includes(route))).to.deep.equal([]);
  });

  it('as a file of the project exists', () => {
    const folders = [...foldersOf('.'), 'dist', 'coverage'].join('|');
    const named = codeOnPages.filter(({ code }) => new RegExp(`^(${folders})/[\\w./-]+$`).test(code));
    expect(named).to.have.length.above(20);
    const isPresent = ({ page, code }: { page: string; code: string }): boolean =>
      /^(dist|data|coverage|node_modules)\//.test(code) || existsSync(code) || existsSync(path.join(path.dirname(page), code));
    expect(named.filter((each) => !isPresent(each))).to.deep.equal([]);
  });

  it('as a heading exists', () => {
    const anchorsOf = (page: string): string[] =>
      [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
      );
    const broken = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\]\(([^)#\s:]*)#([^)]+)\)/g)]
        .filter(([, to, anchor = '']) => !anchorsOf(to ? path.join(path.dirname(page), to) : page).includes(anchor))
        .map(([link]) => `${page}: ${link}`),
    );
    expect(broken).to.deep.equal([]);
  });
});

describe('docs/decisions/README.md', () => {
  it('lists every decision with its heading', () => {
    const folder = 'docs/decisions';
    const listed = [...textOf(path.join(folder, 'README.md')).matchAll(/^(\d+\. )\[(.+)\]\((.+)\)$/gm)];
    const expected = readdirSync(folder).filter((file) => /^\d/.test(file));
    expect(listed.map(([, , , file]) => file)).to.deep.equal(expected.toSorted());
    for (const [, number = '', title = '', file = ''] of listed)
      expect(textOf(path.join(folder, file)).split('\n')[0]).to.equal(`# ${number}${title}`);
  });

  it('lists decisions of at most 700 words', () => {
    const tooLong = readdirSync('docs/decisions').filter((file) => countWords(textOf(`docs/decisions/${file}`)) > 700);
    expect(tooLong).to.deep.equal([]);
  });
});

describe('docs/ARCHITECTURE.md', () => {
  const diagram = codeOf('docs/ARCHITECTURE.md')[0] ?? '';
  const topFolders = [
    'openapi',
    'generated',
    'domain',
    'site',
    'db',
    'handlers',
    'server',
    'cli',
    'client',
    'web',
    'scripts',
    'test',
    'docs',
  ];

  for (const folder of topFolders) it(`shows ${folder}/`, () => expect(diagram).to.match(new RegExp(`^${folder}/ `, 'm')));

  for (const folder of ['openapi', 'db', 'server', 'scripts', 'test'])
    it(`shows every folder of ${folder}/`, () => {
      const [, section = ''] = new RegExp(`^${folder}/ ([\\s\\S]*?)(?=^\\w|$(?![\\s\\S]))`, 'm').exec(diagram) ?? [];
      expect(foldersOf(folder).filter((name) => !section.includes(`${name}/`))).to.deep.equal([]);
      const files = [...section.matchAll(/[\w-]+\.(?:ts|yaml|json|md)\b/gi)].map(([file]) => file);
      expect(files.filter((file) => !existsSync(path.join(folder, file)))).to.deep.equal([]);
    });
});

describe('what people read first', () => {
  it('README.md has at most 900 words', () => expect(countWords(textOf('README.md'))).to.be.at.most(900));

  it('CHANGELOG.md has at most 25 words a line', () => {
    expect(
      textOf('CHANGELOG.md')
        .split('\n')
        .filter((line) => countWords(line) > 25),
    ).to.deep.equal([]);
  });
});

describe('the figures in the documentation', () => {
  it('match the default settings', () => {
    const guide = textOf('docs/guides/write-a-client.md');
    const byDefault = (name: keyof typeof schema): unknown => schema[name].default;
    expect(guide).to.include(`${byDefault('limits.authenticated')} requests a minute`);
    expect(guide).to.include(`all anonymous callers together have ${byDefault('limits.anonymous')}.`);
    expect(guide).to.include(`${byDefault('lockout.max_failures')} failed authentications`);
    expect(guide).to.include(`within ${byDefault('lockout.window_minutes')} minutes`);
  });

  it('match the retry schedule of deliveries', () => {
    const hours = maxRetryDelays.slice(1).reduce((sum, longest) => sum + longest / 2, 0) / 3_600_000;
    expect(maxRetryDelays).to.have.length(7);
    expect(textOf('docs/guides/receive-webhooks.md')).to.include(`seven times over about ${Math.round(hours)} hours`);
  });

  it('match the contract', () => {
    expect(textOf('CHANGELOG.md')).to.include(
      `${Object.keys(operations).length} operations, ${Object.keys(webhookEvents).length} webhook events`,
    );
    expect(textOf('docs/RELIABILITY.md')).to.include(`all ${Object.keys(operations).length} operations`);
  });
});
