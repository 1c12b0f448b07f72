import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { type ContractDocument, mergePathParameters } from '../../scripts/contract/document.ts';
import { findLostPromises } from '../../scripts/contract/lost-promises.ts';
import { findNarrowings } from '../../scripts/contract/narrowed-access.ts';
import { formatClient } from '../../scripts/generate/client.ts';
import { formatters } from '../../scripts/generate/files.ts';
import { bundleFile } from '../support/contract.ts';
import { inProof } from '../support/in-proof.ts';
import { lintFiles } from '../support/lint-files.ts';
import { temporaryFolder } from '../support/postgres.ts';
import type { Change, Json } from './breakages/change.ts';
import { breakages } from './breakages/index.ts';
import { edits, uncallable } from './edits.ts';

/** PROVE_DOCUMENTS=all: that lint accepts every edit of this table, which takes half a minute. */
const { itInProof } = inProof('PROVE_DOCUMENTS');

const text = readFileSync(bundleFile, 'utf8');
const released = JSON.parse(text) as ContractDocument;

function editedContract({ break: change }: Change): ContractDocument {
  const contract: Json = JSON.parse(text);
  change.apply(contract);
  return contract as unknown as ContractDocument;
}

describe('an edit of the contract that lint accepts', () => {
  for (const edit of edits)
    it(`${edit.check ? 'breaks clients' : 'is compatible'}: ${edit.title}`, async () => {
      const contract = mergePathParameters(editedContract(edit));
      const found = [...findNarrowings(released, contract), ...findLostPromises(released, contract)];
      const messages = found.map(({ field, message }) => `${field}: ${message}`);
      if (edit.check === null) expect(messages).to.deep.equal([]);
      else
        expect(
          messages.filter((message) => edit.check?.test(message)),
          messages.join('\n'),
        ).not.to.deep.equal([]);
      if (!edit.generates) return;
      const [file, part] = edit.generates;
      const generated = (await formatters[`generated/${file}`]?.(contract)) ?? '';
      expect(typeof part === 'string' ? generated.includes(part) : part.test(generated), `generated/${file} has ${String(part)}`).to.equal(
        true,
      );
    });

  for (const change of uncallable)
    it(`is refused by the generator: ${change.title}`, () => {
      expect(() => formatClient(editedContract(change))).to.throw(change.says);
    });

  itInProof('is accepted by lint, each', async () => {
    const folder = temporaryFolder('edits-');
    const plugin = path.resolve('openapi/lint/plugin.mjs');
    const { default: createPlugin } = (await import(plugin)) as { default: () => { rules: { oas3: object } } };
    const rules = Object.fromEntries(Object.keys(createPlugin().rules.oas3).map((rule) => [`contract/${rule}`, 'error']));
    writeFileSync(path.join(folder, 'redocly.yaml'), JSON.stringify({ plugins: [plugin], rules }));
    const files = edits.map((edit, at) => {
      writeFileSync(path.join(folder, `${at}.json`), JSON.stringify(editedContract(edit)));
      return `${at}.json`;
    });
    const problems = await lintFiles(files, folder, 'redocly.yaml');
    expect(problems.flatMap((found, at) => found.map(({ message }) => `${edits[at]?.title}: ${message}`))).to.deep.equal([]);
  });

  it('is one of at least 80 in the table, with those that lint refuses', () => {
    expect(edits.length + breakages.length).to.be.above(80);
    expect(new Set([...edits, ...breakages].map(({ title }) => title)).size).to.be.above(80);
  });
});
