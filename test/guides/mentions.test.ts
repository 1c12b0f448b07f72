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

/** Everything that a page sets as code: between back quotes, and in blocks. */
const codeOf = (page: string): string[] =>
  [...textOf(page).matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, span]) => block ?? span ?? '');

const codeOnPages = pages.flatMap((page) => codeOf(page).map((code) => ({ page, code })));

const foldersOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => name);

describe('what the pages name', () => {
  it('as npm run is a script of the project', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = codeOnPages.flatMap(({ page, code }) =>
      [...code.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => ({ page, name })),
    );
    expect(named).to.have.length.above(20);
    expect(named.filter(({ name }) => !(name in scripts))).to.deep.equal([]);
  });

  it('as a command is one that affiliate has', () => {
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

  it('as a file of the project is there', () => {
    const rooms = [...foldersOf('.'), 'dist', 'coverage'].join('|');
    const named = codeOnPages.filter(({ code }) => new RegExp(`^(${rooms})/[\\w./-]+$`).test(code));
    expect(named).to.have.length.above(20);
    const isThere = ({ page, code }: { page: string; code: string }): boolean =>
      /^(dist|data|coverage|node_modules)\//.test(code) || existsSync(code) || existsSync(path.join(path.dirname(page), code));
    expect(named.filter((each) => !isThere(each))).to.deep.equal([]);
  });

  it('as a heading of a page is one', () => {
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
  it('lists every decision under its own heading', () => {
    const folder = 'docs/decisions';
    const listed = [...textOf(path.join(folder, 'README.md')).matchAll(/^(\d+\. )\[(.+)\]\((.+)\)$/gm)];
    const expected = readdirSync(folder).filter((file) => /^\d/.test(file));
    expect(listed.map(([, , , file]) => file)).to.deep.equal(expected.toSorted());
    for (const [, number = '', title = '', file = ''] of listed)
      expect(textOf(path.join(folder, file)).split('\n')[0]).to.equal(`# ${number}${title}`);
  });
});

describe('docs/ARCHITECTURE.md', () => {
  const drawing = codeOf('docs/ARCHITECTURE.md')[0] ?? '';

  for (const room of ['openapi', 'domain', 'site', 'db', 'handlers', 'server', 'generated', 'client', 'web', 'scripts', 'test', 'docs'])
    it(`draws ${room}/`, () => expect(drawing).to.match(new RegExp(`^${room}/ `, 'm')));

  for (const room of ['openapi', 'db', 'server', 'scripts', 'test'])
    it(`names every folder of ${room}/`, () => {
      const [, drawn = ''] = new RegExp(`^${room}/ ([\\s\\S]*?)(?=^\\w|$(?![\\s\\S]))`, 'm').exec(drawing) ?? [];
      expect(foldersOf(room).filter((folder) => !drawn.includes(`${folder}/`))).to.deep.equal([]);
      const files = [...drawn.matchAll(/[\w-]+\.(?:ts|yaml|json|md)\b/gi)].map(([file]) => file);
      expect(files.filter((file) => !existsSync(path.join(room, file)))).to.deep.equal([]);
    });
});

describe('the figures on the pages', () => {
  const readme = textOf('README.md');

  it('are those of the settings', () => {
    const byDefault = (name: keyof typeof schema): unknown => schema[name].default;
    expect(readme).to.include(`${byDefault('limits.authenticated')} requests a minute`);
    expect(readme).to.include(`all anonymous callers together have ${byDefault('limits.anonymous')}.`);
    expect(readme).to.include(`${byDefault('lockout.max_failures')} failed authentications`);
    expect(readme).to.include(`within ${byDefault('lockout.window_minutes')} minutes`);
  });

  it('are those of the schedule of deliveries', () => {
    const hours = maxRetryDelays.slice(1).reduce((sum, longest) => sum + longest / 2, 0) / 3_600_000;
    expect(maxRetryDelays).to.have.length(7);
    expect(readme).to.include(`seven times over about ${Math.round(hours)} hours`);
  });

  it('are those of the contract', () => {
    expect(textOf('CHANGELOG.md')).to.include(
      `${Object.keys(operations).length} operations, ${Object.keys(webhookEvents).length} webhook events`,
    );
  });
});
