import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { pathFileName, webhookFileName } from '../../scripts/contract/pointer.ts';

const folder = path.resolve('openapi');
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const written = ['paths', 'webhooks', 'components'].flatMap((part) =>
  readdirSync(path.join(folder, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))),
);

const referencesIn = (text: string): string[] => [...text.matchAll(/\$ref:\s*['"]?([^\s'"#,}]+)/g)].map(([, file = '']) => file);

/** The files that the document consists of. Redocly does not read the others, so lint cannot report them. */
function findReachable(root: string): Set<string> {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const reference of referencesIn(read(file))) visit(path.join(path.dirname(file), reference));
  };
  visit(root);
  return reached;
}

describe('the YAML files of the contract', () => {
  it('are all reachable from openapi.yaml', () => {
    const reached = findReachable('openapi.yaml');
    expect(written.filter((file) => !reached.has(file))).to.deep.equal([]);
    expect(reached.size).to.be.above(150);
  });

  const entries = [...read('openapi.yaml').matchAll(/^ {2}(\S+): \{ \$ref: (\S+) \}$/gm)].map(([, name = '', file = '']) => ({
    name,
    file,
  }));

  it('are named by their path, as STYLE.md requires', () => {
    const paths = entries.filter(({ name }) => name.startsWith('/'));
    expect(paths.map(({ file }) => file)).to.deep.equal(paths.map(({ name }) => pathFileName(name)));
    expect(pathFileName('/payouts/{id}/status')).to.equal('paths/payouts_id_status.yaml');
    expect(paths).to.have.lengthOf(readdirSync(path.join(folder, 'paths')).length);
  });

  it('of webhooks are named by their event', () => {
    const webhooks = entries.filter(({ name }) => !name.startsWith('/'));
    expect(webhooks.map(({ file }) => file)).to.deep.equal(webhooks.map(({ name }) => webhookFileName(name)));
    expect(webhooks).to.have.lengthOf(readdirSync(path.join(folder, 'webhooks')).length);
  });
});
