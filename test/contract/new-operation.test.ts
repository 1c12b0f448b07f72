import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { bundleContract } from '../../scripts/contract/document.ts';
import { runRedocly } from '../../scripts/contract/redocly.ts';
import { formatClient } from '../../scripts/generate/client.ts';
import { Checkout, describeNewOperation, writeOperation } from '../../scripts/new/new-operation.ts';
import { lintFiles, withoutExamples } from '../support/lint-files.ts';
import { temporaryFolder } from '../support/postgres.ts';

const twenty = [
  'get /coupons/{id}/notes',
  'post /coupons/{id}/notes',
  'get /coupons/totals',
  'put /coupons/{id}',
  'patch /coupons/{id}',
  'delete /coupons/{id}',
  'get /payouts/{id}/receipts',
  'post /payouts/{id}/receipts',
  'get /payouts/totals',
  'patch /payouts/{id}',
  'get /webhooks/{id}/health',
  'delete /webhooks/{id}/health',
  'get /store/connections/{id}/log',
  'put /store/limits',
  'get /affiliates/{id}/tax',
  'delete /affiliates/{id}',
  'get /me/devices',
  'post /payout-batches/{id}/memo',
  'get /coupons/{id}/orders/{order_id}/refunds',
  'get /risk/totals',
  'put /keys/{id}',
  'get /reports/taxes',
];

describe('npm run new', () => {
  let folder: string;
  let checkout: Checkout;
  beforeEach(() => {
    folder = temporaryFolder('new-');
    for (const part of ['openapi', 'redocly.yaml', 'handlers']) cpSync(part, path.join(folder, part), { recursive: true });
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    checkout = new Checkout(folder);
  });

  const add = (command: string): string[] => {
    const [method = '', route = ''] = command.split(' ');
    return writeOperation(describeNewOperation(method, route, checkout), checkout);
  };

  it('writes operations that lint and generate accept at once, whatever path and method', async () => {
    for (const command of twenty) add(command);
    // test/journeys/designer.journey.ts runs the command, which lints with every rule.
    writeFileSync(path.join(folder, 'redocly.yaml'), withoutExamples(readFileSync('redocly.yaml', 'utf8')));
    expect((await lintFiles(['openapi/openapi.yaml'], folder, 'redocly.yaml')).flat().map(({ message }) => message)).to.deep.equal([]);
    const run = (args: string[]) => runRedocly(args, { cwd: folder });
    const client = formatClient(await bundleContract(path.join(folder, 'openapi/openapi.yaml'), run));
    for (const command of twenty) expect(client).to.include(`\`${command.replace(/^\w+/, (verb) => verb.toUpperCase())}\``);
  });

  it('keeps the order of the verbs in a file', () => {
    for (const command of ['patch /coupons/{id}', 'put /coupons/{id}', 'delete /coupons/{id}']) add(command);
    const verbs = readFileSync(path.join(folder, 'openapi/paths/coupons_id.yaml'), 'utf8').match(/^[a-z]+(?=:)/gm);
    expect(verbs).to.deep.equal(['get', 'put', 'patch', 'delete']);
  });

  it('overwrites no schema and no example that has the name', () => {
    const files = add('get /coupons/{id}/notes');
    const others = add('get /coupons/notes');
    expect(files.filter((file) => file.includes('/components/') && others.includes(file))).to.deep.equal([]);
    expect(others).to.include('openapi/components/schemas/GetCouponsNotes.yaml');
  });

  const refused: [command: string, sentence: string][] = [
    ['get /coupons', 'GET /coupons exists already, in openapi/paths/coupons.yaml.'],
    ['post /coupons/{coupon}', '/coupons/{id} takes that place, in openapi/paths/coupons_id.yaml. Add to it, or choose another path.'],
    ['post /coupons/id', '/coupons/{id} takes that place, in openapi/paths/coupons_id.yaml.'],
    ['get /customers', 'There is no tag customers. Add it to tags in openapi/openapi.yaml'],
    ['get /coupons/{id}/notes/{note}', 'No operation has the path /coupons/{id}/notes/{note} yet.'],
    ['head /coupons', 'The method must be get, post, put, patch, delete.'],
  ];
  for (const [command, sentence] of refused)
    it(`refuses ${command} with a sentence, and writes nothing`, () => {
      expect(() => add(command)).to.throw(sentence);
    });

  it('leaves every file as it was when Ctrl-C ends it while a tool runs', async () => {
    const reference = path.join(folder, 'docs/reference/errors.md');
    for (const part of ['scripts', 'generated', 'docs/reference']) mkdirSync(path.join(folder, part), { recursive: true });
    for (const file of ['README.md', 'docs/reference/errors.md', 'generated/client.ts']) checkout.write(file, 'as it was');
    const tool = "import { writeFileSync } from 'node:fs'; writeFileSync('README.md', 'half'); writeFileSync('generated/new.ts', 'half');";
    checkout.write('scripts/generate.ts', `${tool} console.log('running'); setInterval(() => {}, 1000);`);
    const args = ['--import', 'tsx', path.resolve('scripts/new.ts'), 'get', '/coupons/{id}/notes'];
    const before = checkout.read('openapi/openapi.yaml');
    // The terminal sends Ctrl-C to the whole group.
    const running = spawn(process.execPath, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(running.stdout, 'data');
    expect(checkout.read('README.md')).to.equal('half');
    process.kill(-(running.pid ?? 0), 'SIGINT');
    const [code] = await once(running, 'close');
    expect(code).to.equal(1);
    expect([readFileSync(reference, 'utf8'), checkout.read('README.md')]).to.deep.equal(['as it was', 'as it was']);
    expect(checkout.read('openapi/openapi.yaml')).to.equal(before);
    expect(checkout.exists('generated/new.ts') || checkout.exists('openapi/paths/coupons_id_notes.yaml')).to.equal(false);
  });

  it('restores every file that a failure leaves behind', () => {
    mkdirSync(path.join(folder, 'generated'));
    const before = checkout.read('openapi/openapi.yaml');
    const restore = checkout.snapshot('openapi', 'handlers', 'generated');
    const files = add('get /coupons/{id}/notes');
    restore();
    expect(checkout.read('openapi/openapi.yaml')).to.equal(before);
    expect(files.filter((file) => checkout.exists(file))).to.deep.equal([
      'openapi/openapi.yaml',
      'handlers/coupons.ts',
      'handlers/index.ts',
    ]);
  });
});
