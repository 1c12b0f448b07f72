import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { OpenApiDocument } from '../../site/document/openapi.ts';
import { inProof } from '../support/in-proof.ts';
import { type LintProblem, lintFiles, withoutExamples } from '../support/lint-files.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { documentOf, everyAddOn, operationIds, sites } from './sites.ts';

const config = path.resolve('redocly.yaml');

/** The problems that Redocly finds in each document, in one call. */
async function lint(documents: Record<string, OpenApiDocument>, configFile = config): Promise<Map<string, string[]>> {
  const folder = temporaryFolder('served-');
  const titles = Object.keys(documents);
  const files = titles.map((title, number) => {
    writeFileSync(path.join(folder, `${number}.json`), JSON.stringify(documents[title], null, 1));
    return `${number}.json`;
  });
  const reports = await lintFiles(files, folder, configFile);
  return new Map(reports.map((problems, number) => [titles[number] ?? '', problems.map(inWords)]));
}

const inWords = ({ ruleId, message, location: [place] }: LintProblem): string => `${ruleId} at ${place?.pointer}: ${message}`;

const isProof = process.env['PROVE_DOCUMENTS'] === 'all';

/** PROVE_DOCUMENTS=all: every site. Otherwise the most, the fewest and none of the add-ons; below the free edition with two mistakes. */
const isLinted = (title: string): boolean =>
  isProof || ['every add-on', 'without any add-on', 'free, all but five operations switched off'].includes(title);
const linted = Object.entries(sites).filter(([title]) => isLinted(title));

describe('the rules of the contract', () => {
  let problems: Map<string, string[]>;

  before(async () => {
    // Must fail, so that silence about the others means something: an example shows a field that the free edition does not have, and a
    // schema has no reference.
    const spoiled = structuredClone(documentOf(sites.free)) as { components: Record<string, Record<string, { value?: object }>> };
    Object.assign(spoiled.components.examples?.coupon?.value ?? {}, { payout_eligibility: { eligible: true, reasons: [] } });
    Object.assign(spoiled.components.schemas ?? {}, { Lonely: { type: 'string', description: 'Unused.', examples: ['x'] } });
    const documents = Object.fromEntries(linted.map(([title, site]) => [title, documentOf(site)]));
    problems = await lint({ ...documents, spoiled: spoiled as unknown as OpenApiDocument });
  });

  for (const [title] of linted)
    it(`hold for the served document: ${title}`, () => {
      expect(problems.get(title)).to.deep.equal([]);
    });

  it('find a stale example and an unused component in the document of the free edition, and nothing else', () => {
    const found = problems.get('spoiled')?.map((problem) => problem.split(': ')[0]);
    expect([...new Set(found)]).to.have.members([
      'no-invalid-media-type-examples at #/components/examples/coupon/value/payout_eligibility',
      'no-unused-components at #/components/schemas/Lonely',
    ]);
  });
});

/** PROVE_DOCUMENTS=all. test/site/document-soundness.test.ts checks references and components without each operation also in `npm test`. */
const { describeInProof } = inProof('PROVE_DOCUMENTS');

describeInProof('the rules of the contract, with one operation switched off', () => {
  let problems: Map<string, string[]>;

  before(async () => {
    const documents = Object.fromEntries(
      operationIds.map((id) => [id, documentOf({ values: { ...everyAddOn, [`switches.${id}`]: false } })]),
    );
    const folder = temporaryFolder('served-config-');
    // A switch drops no property, so no example can go stale by it: validating all of them each time would take most of the time.
    const rules = readFileSync(config, 'utf8').replace('openapi/lint/plugin.mjs', path.resolve('openapi/lint/plugin.mjs'));
    writeFileSync(path.join(folder, 'redocly.yaml'), withoutExamples(rules));
    problems = await lint(documents, path.join(folder, 'redocly.yaml'));
  });

  for (const id of operationIds)
    it(`hold without ${id}`, () => {
      expect(problems.get(id)).to.deep.equal([]);
    });
});
