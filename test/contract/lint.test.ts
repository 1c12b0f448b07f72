import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { textFormats, valueFormats } from '../../domain/records/formats.ts';
import { type LintProblem, lintFiles } from '../support/lint-files.ts';
import { temporaryFolder } from '../support/postgres.ts';
import type { Change, Json } from './breakages/change.ts';
import { allowances, breakages } from './breakages/index.ts';

type Breakage = (typeof breakages)[number];

/** PROVE_DOCUMENTS=all: every breakage. Otherwise the first four of each rule: a document has one of each, and takes half a second. */
const isTried = (breakage: Breakage): boolean =>
  process.env['PROVE_DOCUMENTS'] === 'all' || breakages.filter(({ rule }) => rule === breakage.rule).indexOf(breakage) < 4;
const tried = breakages.filter(isTried);

const root = path.resolve(import.meta.dirname, '../..');
const bundle = path.join(root, 'generated/openapi.json');
const plugin = path.join(root, 'openapi/lint/plugin.mjs');
const rules = Object.keys((await import(pathToFileURL(plugin).href)).default().rules.oas3);

/** Without those of Redocly: its validation of every example would take most of the time. */
const ownRules = JSON.stringify({ plugins: [plugin], rules: Object.fromEntries(rules.map((rule) => [`contract/${rule}`, 'error'])) });

const placeOf = ({ location: [first] }: LintProblem) =>
  (first?.pointer ?? '')
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join(' > ');

const messagesOf = (problems: LintProblem[]) => problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);

// That the contract itself passes is part of npm run lint; test/site/document-lint.test.ts lints what is served.

/** In one document, one breakage of a rule at most, and none inside of another one: linting a document takes longer than finding a problem. */
function combine(changes: readonly Breakage[]): Breakage[][] {
  const documents: Breakage[][] = [];
  for (const change of changes) {
    const document = documents.find((others) => !others.some((other) => other.rule === change.rule || areNested(other, change)));
    if (document) document.push(change);
    else documents.push([change]);
  }
  return documents;
}

const areNested = (one: Breakage, other: Breakage): boolean => {
  const [first, second] = [`${one.break.at} > `, `${other.break.at} > `];
  return first.startsWith(second) || second.startsWith(first);
};

function isExpected({ says, at }: Breakage, [first, ...others]: readonly LintProblem[]): boolean {
  return first !== undefined && others.length === 0 && says.test(first.message) && placeOf(first) === at;
}

describe('lint of a modified contract', () => {
  const problems = new Map<Change, LintProblem[]>();
  let folder: string;

  const listMixed = (): Breakage[] => tried.filter((breakage) => !isExpected(breakage, problemsOf(breakage)));

  const problemsOf = (breakage: Breakage): LintProblem[] =>
    (problems.get(breakage) ?? []).filter(({ ruleId }) => ruleId === `contract/${breakage.rule}`);

  /** Lints a document with each list of changes. */
  async function lintEach(documents: readonly (readonly Change[])[]): Promise<void> {
    if (documents.length === 0) return;
    const contract = readFileSync(bundle, 'utf8');
    const files = documents.map((changes, number) => {
      const changed: Json = JSON.parse(contract);
      for (const { break: change } of changes) change.apply(changed);
      writeFileSync(path.join(folder, `${number}.json`), JSON.stringify(changed));
      return `${number}.json`;
    });
    for (const [number, found] of (await lintFiles(files, folder, 'redocly.yaml')).entries())
      for (const change of documents[number] ?? []) problems.set(change, found);
  }

  before(async () => {
    folder = temporaryFolder('lint-');
    writeFileSync(path.join(folder, 'redocly.yaml'), ownRules);
    await lintEach([...combine(tried), allowances]);
    // Where other breakages of the document add to the problems of a rule, its breakage is linted with few others, and then alone.
    await lintEach(combine(listMixed()));
    const refused = allowances.filter((allowance) => problems.get(allowance)?.length !== 0);
    await lintEach([...listMixed(), ...refused].map((change) => [change]));
  });

  for (const breakage of tried) {
    it(`${breakage.rule}: ${breakage.title}`, () => {
      const found = problemsOf(breakage);
      expect(messagesOf(found)).to.have.lengthOf(1);
      expect(found[0]?.message).to.match(breakage.says);
      expect(found.map(placeOf)).to.deep.equal([breakage.at]);
    });
  }

  for (const allowance of allowances) {
    it(`allowed: ${allowance.title}`, () => {
      expect(messagesOf(problems.get(allowance) ?? [])).to.deep.equal([]);
    });
  }
});

describe('lint of split files', () => {
  let folder: string;

  before(() => {
    folder = temporaryFolder('lint-');
    cpSync(path.join(root, 'openapi'), path.join(folder, 'openapi'), { recursive: true });
    writeFileSync(path.join(folder, 'redocly.yaml'), ownRules);
  });

  /** Replaces the text in its first line. */
  function edit(file: string, text: string, replacement: string): void {
    const source = path.join(folder, file);
    const lines = readFileSync(source, 'utf8').split('\n');
    const number = lines.findIndex((line) => line.includes(text));
    if (number < 0) throw new Error(`${file} does not hold "${text}", so this tests nothing.`);
    lines[number] = (lines[number] ?? '').replace(text, replacement);
    writeFileSync(source, lines.filter((line, index) => index !== number || line.trim()).join('\n'));
  }

  const lineOf = (file: string, text: string) =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1;

  it('reports each problem in the file and line where it is mended, and how', async () => {
    const [coupons, clicks, method] = ['paths/coupons', 'paths/clicks_stats', 'components/schemas/PayoutMethod'].map(
      (name) => `openapi/${name}.yaml`,
    ) as [string, string, string];
    const header = 'X-Svc-Total: { $ref: ../components/headers/X-Svc-Total.yaml }';
    edit(coupons, header, '');
    edit(clicks, 'operationId: get_clicks_stats', 'operationId: list_clicks');
    edit(method, ', examples: [PayPal]', '');
    const problems = (await lintFiles(['openapi/openapi.yaml'], folder, 'redocly.yaml')).flat();
    expect(
      problems.map(({ ruleId, message, location: [first] }) => `${first?.source.ref}:${first?.start.line} ${ruleId}: ${message}`),
    ).to.have.members([
      `${coupons}:${lineOf(coupons, "'200':")} contract/collection-paging: ` +
        `\`get_coupons\` answers an array but lacks the header X-Svc-Total. Add \`${header}\` to its 200 response.`,
      `${clicks}:${lineOf(clicks, 'operationId:')} contract/operation-id-shape: ` +
        'GET /clicks/stats has the operationId `list_clicks`. Name it `get_clicks_stats`: ' +
        '<method>_<segments of the path joined by _, parameters by their name, a hyphen as _>.',
      `${method}:${lineOf(method, 'method: {')} contract/examples-everywhere: ` +
        'The property `method` has no example. Add `examples: [ … ]` to it, or next to its `$ref`.',
    ]);
  });
});

describe('the lint rules of this project', () => {
  const text = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const fieldsIn = (words: string) => new Set(words.match(/\bx-[a-z-]+/g));

  it('each have a breakage in test/contract/breakages', () => {
    expect([...new Set(breakages.map(({ rule }) => rule))].toSorted()).to.deep.equal(rules.toSorted());
  });

  it('are all errors in redocly.yaml', () => {
    const errors = [...text('redocly.yaml').matchAll(/^ {2}contract\/([a-z-]+): error$/gm)].map(([, rule]) => rule);
    expect(errors.toSorted()).to.deep.equal(rules.toSorted());
  });

  it('know the formats of the service, and the keywords of its reader of records', () => {
    const wordsIn = (file: string, list: RegExp) => new Set((list.exec(text(file))?.[0] ?? '').match(/(?<=')[\w-]+(?=')/g));
    const formats = wordsIn('openapi/lint/rules/known-formats.mjs', /const ours = \[[^\]]*\]/);
    expect([...formats].toSorted()).to.deep.equal(['calendar-day', ...Object.keys({ ...textFormats, ...valueFormats })].toSorted());
    const keywords = wordsIn('openapi/lint/rules/import-record-shape.mjs', /const keywords = \[[\s\S]*?\n\];/);
    const applied = wordsIn('scripts/generate/records.ts', /const keywords = \[[^\]]*\]/);
    expect([...keywords].toSorted()).to.deep.equal([...applied, 'examples'].toSorted());
  });

  it('allow exactly the fields that EXTENSIONS.md lists', () => {
    const table = text('openapi/EXTENSIONS.md')
      .split('\n')
      .filter((line) => line.startsWith('| [`x-'));
    const listed = table.flatMap((row) => [...fieldsIn(row.split('|')[1]?.replace(/\(.*\)/, '') ?? '')]);
    expect([...fieldsIn(text('openapi/lint/rules/known-fields.mjs'))].toSorted()).to.deep.equal(listed.toSorted());
  });
});
