import type { Block } from './pages.ts';

/** What verifies code blocks of a kind. */
export interface BlockCoverage {
  page: string | RegExp;
  language: string;
  /** The heading, if it does not apply to all blocks of the language on the page. */
  under?: string;
  /** A test that names the page, or why there is none. */
  by: { test: string } | { because: string };
}

const run = { test: 'test/guides/commands.test.ts' };
const parsed = { test: 'test/guides/code-blocks.test.ts' };
const changed = { test: 'test/guides/change-the-contract.test.ts' };
const client = { test: 'test/client/package.test.ts' };
const loop = { because: 'it does not end, and its output depends on edits: test/journeys/designer.journey.ts starts it and edits files' };
const followed = { test: 'test/journeys/operator.journey.ts' };
const noProxy = { because: 'the suite has no such proxy. test/attacks/ and test/server/ send the headers that it sets' };

/** One entry for every kind of block. A test fails if a new block has none. */
export const blockCoverage: readonly BlockCoverage[] = [
  { page: 'docs/guides/change-the-contract.md', language: 'bash', under: '0. Start the loop', by: loop },
  { page: 'docs/guides/change-the-contract.md', language: '', under: '0. Start the loop', by: loop },
  { page: 'docs/guides/change-the-contract.md', language: 'bash', by: changed },
  { page: 'docs/guides/write-a-client.md', language: 'bash', under: 'With the package', by: client },
  { page: 'README.md', language: 'bash', by: run },
  { page: 'README.md', language: '', under: 'Try it', by: run },
  { page: /^docs\/(guides|reference)\//, language: 'bash', by: run },
  { page: /^docs\/guides\/(write-a-client|receive-webhooks|connect-a-store)\.md$|^client\/README\.md$/, language: 'ts', by: client },
  { page: /^docs\/guides\/(write-a-client|receive-webhooks)\.md$/, language: 'js', by: client },
  { page: 'docs/guides/receive-webhooks.md', language: 'python', by: client },
  { page: 'docs/guides/extend-a-site.md', language: 'js', by: { test: 'test/guides/site-module-types.test.ts' } },
  { page: 'docs/guides/change-the-contract.md', language: 'yaml', by: changed },
  { page: 'docs/guides/change-the-contract.md', language: 'ts', by: changed },
  { page: 'docs/guides/run-in-production.md', language: 'yaml', by: parsed },
  { page: 'docs/reference/errors.md', language: 'json', by: parsed },
  { page: 'docs/guides/let-an-agent-help.md', language: 'json', by: parsed },
  {
    page: 'docs/guides/let-an-agent-help.md',
    language: 'sh',
    by: { because: 'it needs a client: test/agents/ drives /mcp by the official package' },
  },
  { page: 'openapi/EXTENSIONS.md', language: 'yaml', by: parsed },
  { page: 'docs/guides/run-in-production.md', language: 'sh', by: followed },
  { page: 'docs/guides/run-in-production.md', language: 'nginx', by: noProxy },
  { page: 'docs/guides/run-in-production.md', language: 'caddyfile', by: noProxy },
  { page: 'docs/guides/connect-a-store.md', language: 'php', by: { because: 'it runs in WordPress, which the suite does not have' } },
  {
    page: 'docs/guides/connect-a-store.md',
    language: 'js',
    by: { because: 'it calls libraries of Stripe and Paddle, which the suite does not have' },
  },
  {
    page: 'docs/guides/connect-a-store.md',
    language: 'html',
    by: { because: 'it is a part of a page: test/browser/ has a shop with the script' },
  },
  { page: 'docs/ARCHITECTURE.md', language: '', by: { because: 'it is a diagram' } },
];

const matches = ({ page, language, under }: BlockCoverage, block: Block): boolean =>
  (typeof page === 'string' ? page === block.page : page.test(block.page)) &&
  language === block.language &&
  (under === undefined || under === block.under);

/** The first entry that matches: specific ones are above general ones. */
export const findCoverage = (block: Block): BlockCoverage | undefined => blockCoverage.find((treatment) => matches(treatment, block));
