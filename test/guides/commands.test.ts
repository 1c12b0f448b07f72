import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { Machine } from '../cli/machine.ts';
import { inProof } from '../support/in-proof.ts';
import { CheckoutCopy } from './checkout-copy.ts';
import { type Block, listBlocks } from './pages.ts';

/** A file to import. */
const store = [
  { kind: 'user', login: 'trail', email: 'trail@shop.example', display_name: 'Trail Notes', role: 'affiliate' },
  { kind: 'coupon', code: 'TRAIL10', user: 'trail' },
  { kind: 'order', order_id: 1, coupon_code: 'TRAIL10', date: '2026-11-02', status: 'completed', total: 100 },
];

const commandsOf = (page: string, ...under: string[]): Block[] =>
  listBlocks(page).filter((block) => block.language === 'bash' && (under.length === 0 || under.includes(block.under)));

/** Expects the lines in the order of the page. Ports and passwords differ from run to run. */
function expectPrinted(output: string, onThePage: string): void {
  const comparable = (text: string): string =>
    text.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').replaceAll(/(with the password) \S+/g, '$1 PASSWORD');
  const printed = comparable(output).split('\n');
  const lines = comparable(onThePage).trim().split('\n');
  expect(printed.filter((line) => lines.includes(line))).to.deep.equal(lines.filter((line) => line !== '…'));
}

const count = (text: string, part: string): number => text.split(part).length - 1;

/** PROVE_GUIDES=all: the pages that start processes. test/journeys/ follows the README and the guides of each role in every `.ci/run`. */
const { itInProof } = inProof('PROVE_GUIDES');

describe('the commands of the documentation, run as written,', () => {
  let checkout: CheckoutCopy;
  before(() => {
    checkout = new CheckoutCopy();
  });

  itInProof("README.md: create a demo store with three calls to try, then a store of one's own", async () => {
    const [tryIt, ...goingLive] = commandsOf('README.md');
    if (!tryIt) throw new Error('The first commands of README.md are missing.');
    const threeCalls = commandsOf('docs/guides/write-a-client.md', 'Three calls');
    const output = await checkout.runBlocks([tryIt, ...threeCalls, ...goingLive]);
    expectPrinted(output.split('\n--- ')[0] ?? '', listBlocks('README.md').find(({ language }) => language === '')?.source ?? '');
    expect(output).to.include('"access_level":"admin"').and.include('"total_commission":').and.include('"unpaid_commission":');
    expect(output).to.match(/^URL +https:\/\/affiliates\.example\.com\/connect\/[0-9a-f]{32}$/m);
  });

  itInProof('docs/guides/run-in-production.md and receive-webhooks.md: operate the demo, then the store of README.md', async () => {
    writeFileSync(checkout.path('store.ndjson'), store.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const [tryIt, ...goingLive] = commandsOf('README.md');
    const [onTheDemo, ...onTheStore] = commandsOf('docs/guides/run-in-production.md');
    if (!tryIt || !onTheDemo) throw new Error('The first commands of README.md or docs/guides/run-in-production.md are missing.');
    const webhooks = commandsOf('docs/guides/receive-webhooks.md');
    const output = await checkout.runBlocks([tryIt, onTheDemo, ...goingLive, ...onTheStore, ...webhooks]);
    expect(count(output, 'The ledger is sound')).to.equal(2);
    expect(output)
      .to.match(/Unpaid +10\.00 EUR/)
      .and.not.match(/^problem /m);
    expect(readFileSync(checkout.path('orders.ndjson'), 'utf8')).to.match(/^\{"kind":"order","order_id":1,/);
    expect(output).to.include('Forwarding to http://127.0.0.1:3000/hooks').and.include('worker is ready');
  });

  itInProof('docs/guides/connect-a-store.md: send orders with calls and as webhooks, and follow a link', async () => {
    const output = await checkout.runBlocks(commandsOf('docs/guides/connect-a-store.md'), { first: 'npx affiliate demo' });
    expect(output).to.match(/"outcome":"created","id":7001,"reason":null,"coupon_id":\d+,"commission":12\.96/);
    expect(output).to.match(/"outcome":"updated","id":7001,"reason":null,"coupon_id":\d+,"commission":6\.48/);
    expect(output)
      .to.include('{"outcome":"created"}')
      .and.match(/order\.created +8001 +created/);
    expect(output).to.match(
      /^Location: http:\/\/127\.0\.0\.1:\d+\/demo-shop\/\?sale=1&ref=TRAIL10&aff_visitor=[\w-]{36}&campaign=autumn\r?$/m,
    );
    expect(output)
      .to.match(/"clicks":\d*[1-9]/)
      .and.not.match(/^problem /m);
    expect(output).to.include('The ledger is sound');
  });

  itInProof('docs/guides/let-an-agent-help.md: give an agent a key, and take it away', async () => {
    const output = await checkout.runBlocks(commandsOf('docs/guides/let-an-agent-help.md'));
    expect(output).to.match(/"Authorization": "Bearer svc_[0-9a-f]{40}"/);
    expect(output).to.match(/Key 1 \(svc_[0-9a-f]{8}…\) is revoked\./);
  });

  itInProof('docs/guides/pay-affiliates.md: pay a payout with an invoice by a SEPA file, and again after its payment failed', async () => {
    const output = await checkout.runBlocks(commandsOf('docs/guides/pay-affiliates.md'), { first: 'npx affiliate demo' });
    expect(output).to.match(/Batch 1: 1 payout, [\d.,]+ EUR in all, written to .*payouts\.xml\./);
    expect(output)
      .to.include('Batch 1 is paid: 1 payout is now paid.')
      .and.match(/\nPayout \d+ failed\. Its amount is unpaid again\.\n/);
    expect(output)
      .to.match(/ Low Tide +LOWTIDE +[\d.]+ EUR +failed/)
      .and.include('Batch 2 is paid: 1 payout is now paid.');
    expect(count(output, 'The ledger is sound')).to.equal(2);
    expect(output).to.include('Invoice 1 of lowtide waits for the next payout of LOWTIDE.');
    expect(count(output, '"invoice_id":1')).to.equal(2);
    expect(readFileSync(checkout.path('data/november.pdf'), 'utf8')).to.match(/^%PDF-1\.4\n[^]*%%EOF\n$/);
    const [xml, again] = ['payouts', 'payouts-again'].map((name) => readFileSync(checkout.path(`data/${name}.xml`), 'utf8'));
    expect(xml).to.include('<Nm>Low Tide</Nm>').and.include('<IBAN>DE02120300000000202051</IBAN>');
    expect(again).to.include('<Nm>Low Tide</Nm>').and.include('<IBAN>NL91ABNA0417164300</IBAN>');
  });

  itInProof('docs/guides/extend-a-site.md: create a site with its own field and gateway', async () => {
    const output = await checkout.runBlocks(commandsOf('docs/guides/extend-a-site.md'));
    expect(output)
      .to.match(/^ok +site module /m)
      .and.include('"landing_page":"https://shop.example/with/');
    expect(output).to.include('payouts.auto_accept.gateway is now "paydesk".');
  });

  itInProof('docs/guides/write-a-client.md: allow a page of another origin, and generate types from a served contract', async () => {
    const page = 'docs/guides/write-a-client.md';
    mkdirSync(checkout.path('project'));
    const variables = { API_URL: 'http://127.0.0.1:8080/api/v2' };
    const [setOrigins, ...types] = [...commandsOf(page, 'From a page in a browser'), ...commandsOf(page, 'With types alone')];
    if (!setOrigins) throw new Error('The page has no commands for pages of other origins.');
    const inProject = { ...setOrigins, source: 'cd project\n' };
    const output = await checkout.runBlocks([setOrigins, inProject, ...types], { variables, first: 'npx affiliate demo' });
    expect(output).to.match(/^access-control-allow-origin: http:\/\/localhost:5173\r?$/im);
    expect(readFileSync(checkout.path('project/api.d.ts'), 'utf8')).to.include('"/payouts/{id}/status"');
  });

  itInProof('docs/guides/move-from-another-system.md: move a program exactly, also when run twice', async () => {
    const page = 'docs/guides/move-from-another-system.md';
    const only = (under: string, pattern: RegExp): Block[] =>
      commandsOf(page, under).map((block) => ({ ...block, source: `${(block.source.match(pattern) ?? []).join('\n')}\n` }));
    const again = commandsOf(page, '4. Import people, and what was paid', '6. Import what is open');
    const settle = only('5. Settle what was paid', /^node .*$/gm);
    const sums = only('7. Check', /^.*(report|ledger verify)$/gm);
    const output = await checkout.runBlocks([...commandsOf(page), ...again, ...settle, ...sums]);
    expect(output).to.include('TRAIL10: 19.2 is paid').and.include('3 of 3 coupons were settled now.');
    const [, first = '', second = ''] = output.split('My store\n');
    for (const report of [first, second]) expect(report).to.match(/Unpaid +28\.00 EUR[^]*Pending +2\.00 EUR[^]*Paid +54\.20 EUR/);
    expect(count(output, ': 0 imported')).to.equal(3);
    expect(output).to.include('SUMMIT: is settled already').and.include('0 of 3 coupons were settled now.');
    expect(count(output, 'The ledger is sound')).to.equal(2);
    expect(readFileSync(checkout.path('data/moved/files/orders-here.ndjson'), 'utf8').split('\n')).to.have.length(10);
  });
});

it('the commands of docs/reference/settings.md, run as written, change a setting and reset it', async () => {
  const machine = new Machine();
  await machine.text('migrate');
  const [{ source } = { source: '' }] = commandsOf('docs/reference/settings.md');
  const commands = source.match(/(?<=^npx affiliate )[^#\n]+/gm) ?? [];
  expect(commands).to.have.length(source.trim().split('\n').length);
  const printed: string[] = [];
  for (const command of commands) printed.push(await machine.text(...command.trim().split(' ')));
  expect(printed.join('')).to.match(/payouts\.threshold is now 50\.\n50\n/);
});
