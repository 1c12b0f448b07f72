import type { Block } from './pages.ts';

/** What makes sure that a block of code is true. */
export interface Treatment {
  page: string | RegExp;
  language: string;
  /** The heading, where not all of the page's blocks of this language are meant. */
  under?: string;
  /** A test that names the page, or why there is none. */
  by: { test: string } | { because: string };
}

const followed = { test: 'test/guides/commands.test.ts' };
const parsed = { test: 'test/guides/code-blocks.test.ts' };
const changed = { test: 'test/guides/change-the-contract.test.ts' };
const client = { test: 'test/client/package.test.ts' };
const loop = { because: 'it goes on by itself, and what it says depends on what is edited: test/dev/loop.test.ts starts it and edits' };
const noMachine = {
  because: 'it changes the machine: users, systemd, files in /etc. test/operations/container.test.ts holds the unit to be right',
};
const noEngine = { because: 'the suite has no container engine. test/operations/container.test.ts reads the Dockerfile' };
const noProxy = { because: 'the suite has no such proxy. test/attacks/ and test/server/ try the headers that it sets' };

/** One line for every kind of block there is. What is new on a page needs one, and the test says so. */
export const treatments: readonly Treatment[] = [
  {
    page: 'docs/guides/run-in-production.md',
    language: 'bash',
    under: 'Restore on PostgreSQL',
    by: { test: 'test/operations/backup-restore.test.ts' },
  },
  { page: 'docs/guides/change-the-contract.md', language: 'bash', under: '0. Start the loop', by: loop },
  { page: 'docs/guides/change-the-contract.md', language: '', under: '0. Start the loop', by: loop },
  { page: 'docs/guides/change-the-contract.md', language: 'bash', by: changed },
  { page: 'docs/guides/write-a-client.md', language: 'bash', under: 'With the package', by: client },
  { page: 'README.md', language: 'bash', by: followed },
  { page: /^docs\/(guides|reference)\//, language: 'bash', by: followed },
  { page: /^docs\/guides\/(write-a-client|receive-webhooks)\.md$|^client\/README\.md$/, language: 'ts', by: client },
  { page: /^docs\/guides\/(write-a-client|receive-webhooks)\.md$/, language: 'js', by: client },
  { page: 'docs/guides/receive-webhooks.md', language: 'python', by: client },
  { page: 'docs/guides/extend-a-site.md', language: 'js', by: { test: 'test/guides/site-module-types.test.ts' } },
  { page: 'docs/guides/change-the-contract.md', language: 'yaml', by: changed },
  { page: 'docs/guides/change-the-contract.md', language: 'ts', by: changed },
  { page: 'docs/guides/run-in-production.md', language: 'yaml', by: parsed },
  { page: 'docs/reference/errors.md', language: 'json', by: parsed },
  { page: 'openapi/EXTENSIONS.md', language: 'yaml', by: parsed },
  { page: 'docs/guides/run-in-production.md', language: 'sh', under: 'Install with systemd', by: noMachine },
  { page: 'docs/guides/run-in-production.md', language: 'sh', under: 'Upgrades', by: noMachine },
  { page: 'docs/guides/run-in-production.md', language: 'sh', under: 'Or as a container', by: noEngine },
  { page: 'docs/guides/run-in-production.md', language: 'nginx', by: noProxy },
  { page: 'docs/guides/run-in-production.md', language: 'caddyfile', by: noProxy },
  { page: 'docs/ARCHITECTURE.md', language: '', by: { because: 'it is a drawing' } },
];

const isMeant = ({ page, language, under }: Treatment, block: Block): boolean =>
  (typeof page === 'string' ? page === block.page : page.test(block.page)) &&
  language === block.language &&
  (under === undefined || under === block.under);

/** The first that means this block, so what is particular stands above what is general. */
export const treatmentOf = (block: Block): Treatment | undefined => treatments.find((treatment) => isMeant(treatment, block));
