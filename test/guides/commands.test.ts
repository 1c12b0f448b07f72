import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { Stage } from './checkout-copy.ts';
import { type Block, blocksOf } from './pages.ts';

/** A file such as an operator has. */
const store = [
  { kind: 'user', login: 'trail', email: 'trail@shop.example', display_name: 'Trail Notes', role: 'affiliate' },
  { kind: 'coupon', code: 'TRAIL10', user: 'trail' },
  { kind: 'order', order_id: 1, coupon_code: 'TRAIL10', date: '2026-11-02', status: 'completed', total: 100 },
];

const commandsOf = (page: string, ...under: string[]): Block[] =>
  blocksOf(page).filter((block) => block.language === 'bash' && (under.length === 0 || under.includes(block.under)));
const count = (text: string, part: string): number => text.split(part).length - 1;
const demo = { variables: { DATA_DIR: 'data/demo' } };

describe('whoever types what the pages say, command by command', () => {
  let stage: Stage;
  before(() => {
    stage = new Stage();
  });

  it('README.md: has a demo store with three calls to try, then a store of their own', async () => {
    writeFileSync(stage.path('store.ndjson'), store.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const said = await stage.type(commandsOf('README.md'));
    expect(said).to.include('"access_level":"admin"').and.include('"total_commission":').and.include('"unpaid_commission":');
    expect(count(said, 'The ledger is sound')).to.equal(2);
    expect(said)
      .to.match(/Unpaid +10\.00 EUR/)
      .and.not.match(/^problem /m);
    expect(readFileSync(stage.path('orders.ndjson'), 'utf8')).to.match(/^\{"kind":"order","order_id":1,/);
    expect(said).to.include('Forwarding to http://127.0.0.1:3000/hooks').and.include('worker is ready');
  });

  it('docs/guides/extend-a-site.md: has a site with a field and a gateway of its own', async () => {
    const said = await stage.type(commandsOf('docs/guides/extend-a-site.md'));
    expect(said)
      .to.match(/^ok +site module /m)
      .and.include('"landing_page":"https://shop.example/with/');
    expect(said).to.include('payouts.auto_accept.gateway is now "paydesk".');
  });

  it('docs/reference/settings.md: changes a setting and takes it back', async () => {
    const said = await stage.type(commandsOf('docs/reference/settings.md'), demo);
    expect(said).to.match(/payouts\.threshold is now 50\.\n50\n/);
  });

  it('docs/guides/run-in-production.md: keeps a copy of the key and of the data, restores both, and asks the doctor', async () => {
    const page = 'docs/guides/run-in-production.md';
    const blocks = commandsOf(page).filter(({ under }) => under !== 'Restore on PostgreSQL');
    const said = await stage.type(blocks, { variables: { DATA_DIR: 'data', BACKUP: 'backup', KEY_COPY: 'key-copy' } });
    expect(said)
      .to.include('The ledger is sound')
      .and.match(/^ok +administrator /m);
    expect(said).not.to.match(/^problem /m);
  });

  it('docs/guides/write-a-client.md: has types of what a site serves', async () => {
    const page = 'docs/guides/write-a-client.md';
    mkdirSync(stage.path('project'));
    const variables = { API_URL: 'http://127.0.0.1:8080/api/v2' };
    await stage.type(commandsOf(page, 'With types alone'), { variables, first: 'npx affiliate demo\ncd project' });
    expect(readFileSync(stage.path('project/api.d.ts'), 'utf8')).to.include('"/payouts/{id}/status"');
  });

  it('docs/guides/move-from-another-system.md: moves a program, to the cent, and may do it twice', async () => {
    const page = 'docs/guides/move-from-another-system.md';
    const only = (under: string, pattern: RegExp): Block[] =>
      commandsOf(page, under).map((block) => ({ ...block, source: `${(block.source.match(pattern) ?? []).join('\n')}\n` }));
    const again = commandsOf(page, '4. Import people, and what was paid', '6. Import what is open');
    const settle = only('5. Settle what was paid', /^node .*$/gm);
    const sums = only('7. Check', /^.*(report|ledger verify)$/gm);
    const said = await stage.type([...commandsOf(page), ...again, ...settle, ...sums]);
    expect(said).to.include('TRAIL10: 19.2 is paid').and.include('3 of 3 coupons were settled now.');
    const [, first = '', second = ''] = said.split('My store\n');
    for (const report of [first, second]) expect(report).to.match(/Unpaid +28\.00 EUR[^]*Pending +2\.00 EUR[^]*Paid +54\.20 EUR/);
    expect(count(said, ': 0 imported')).to.equal(3);
    expect(said).to.include('SUMMIT: is settled already').and.include('0 of 3 coupons were settled now.');
    expect(count(said, 'The ledger is sound')).to.equal(2);
    expect(readFileSync(stage.path('data/moved/files/orders-here.ndjson'), 'utf8').split('\n')).to.have.length(10);
  });
});
