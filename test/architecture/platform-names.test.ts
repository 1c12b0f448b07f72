import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { platforms } from '../../connectors/index.ts';
import { sourceFolders } from '../../scripts/shared/sources.ts';

const folders = [...sourceFolders.filter((name) => name !== 'connectors' && name !== 'generated'), 'scripts', 'web'];
/** The demo's shop sends events as Stripe does; the bench passes the name to `affiliate store connect`. */
const allowed = ['cli/demo/subscription-shop.ts', 'scripts/bench/dataset.ts'];

const name = platforms.join('|');
/** A name in quotes, as a key or as a property, and an import of the connector itself. */
const use = new RegExp(`(['"\`])(${name})\\1|\\b(${name})\\s*:|\\.(${name})\\b|connectors/(${name})`);

const sources = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .map((file) => `${folder}/${String(file)}`)
    .filter((file) => /\.(ts|tsx|js|mjs)$/.test(file) && !file.includes('node_modules/')),
);

describe('the names of store platforms', () => {
  it('are compared, and used as keys, in connectors/ only: everything else asks the connector', () => {
    expect(sources.length).to.be.greaterThan(500);
    const naming = sources.filter((file) => use.test(readFileSync(file, 'utf8')));
    expect(naming).to.deep.equal(allowed);
  });

  for (const code of [
    "if (platform === 'shopify') return;",
    "case 'woocommerce':",
    "['shopify'].includes(platform)",
    'const steps = { woocommerce: [] };',
    'connectors.shopify',
    "import { fields } from '../../connectors/woocommerce-pull.ts';",
  ])
    it(`are found in ${code}`, () => {
      expect(code).to.match(use);
    });

  it('are not found in a sentence', () => {
    expect("'When an order of Shopify is completed.'").to.not.match(use);
  });
});
