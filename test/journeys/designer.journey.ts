import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { sourceFolders } from '../../scripts/shared/sources.ts';
import { waitUntil } from '../cli/running-service.ts';
import { isPortFree } from '../dev/dev-project.ts';
import { CheckoutCopy } from '../guides/checkout-copy.ts';
import { listBlocks } from '../guides/pages.ts';
import type { ObservedPage } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { it, journey, openWindow } from './support/journey.ts';
import { promised } from './support/promised.ts';
import { showTerminals, Terminal } from './support/terminal.ts';

const guide = 'docs/guides/change-the-contract.md';
const blocksIn = (language: string): string[] =>
  listBlocks(guide)
    .filter((block) => block.language === language)
    .map(({ source }) => source);

/** Those that run in a folder. A process that has ended has none. */
const processesIn = (folder: string): string[] =>
  readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readlinkSync(`/proc/${id}/cwd`) === folder;
    } catch {
      return false;
    }
  });

const me = 'openapi/paths/me.yaml';
const schemas = 'openapi/components/schemas';
const examples = 'openapi/components/examples';

journey('an API designer', () => {
  showTerminals();
  let checkout: CheckoutCopy;
  let loop: Terminal;
  let second: Terminal;
  let reference: ObservedPage;
  let greeting: string;
  let url: string;

  before(async () => {
    checkout = new CheckoutCopy();
    // The types of handlers alone: those of the whole service take the compiler half a minute.
    const configuration = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')) as object;
    const exclude = sourceFolders.filter((folder) => folder !== 'handlers' && folder !== 'generated');
    writeFileSync(checkout.path('tsconfig.build.json'), JSON.stringify({ ...configuration, exclude }));
    const [port, mockPort] = await Promise.all([freePort(), freePort()]);
    url = `http://127.0.0.1:${port}`;
    loop = new Terminal(checkout.folder, { PORT: String(port) });
    second = new Terminal(checkout.folder, { PORT: String(mockPort) });
  });

  // The loop restarts the service, which the open page asks whether the contract has changed.
  afterEach(() => {
    const errors = reference.errors.filter((text) => !text.includes('net::ERR_CONNECTION'));
    reference.errors.splice(0, reference.errors.length, ...errors);
  });

  /** Saves one change in the editor. */
  const edit = (file: string, from: string | RegExp, to: string): void => {
    const before = readFileSync(checkout.path(file), 'utf8');
    const after = before.replace(from, () => to);
    if (after === before) throw new Error(`${file} does not contain ${from}.`);
    writeFileSync(checkout.path(file), after);
  };
  const call = (address: string): Promise<string> => {
    const [, token = ''] = /Admin token +(svc_\S+)/.exec(greeting) ?? [];
    return second.run(`curl -s -H 'Authorization: Bearer ${token}' ${url}/api/v2${address}`);
  };

  it('starts the loop, which serves a demo store and says where', async () => {
    greeting = await loop.start(promised('docs/guides/change-the-contract.md', 'npm run dev'), 'Ctrl-C ends it.');
    expect(greeting).to.include(promised('docs/guides/change-the-contract.md', 'data/dev/demo, a demo store that is kept'));
    expect(greeting)
      .to.include(`${url}/docs`)
      .and.match(/admin with the password \S+/)
      .and.not.include('{"level"');
    expect(await call('/me')).to.include('"access_level":"admin"');
    reference = await openWindow();
    await reference.page.goto(`${url}/docs`);
    await reference.page.getByText('Show who is calling').first().waitFor();
  });

  it('is told that contract and types are good', async () => {
    await loop.waitFor(promised('docs/guides/change-the-contract.md', 'contract ok · 64 operations · types ok · nothing to reload'));
  });

  it('sees an edit of the contract served after it is saved, and on the open reference page', async () => {
    const savedMs = performance.now();
    edit(me, 'Show who is calling', 'An edit of this summary');
    await loop.waitFor(promised('docs/guides/change-the-contract.md', 'reloaded in'));
    // Not asserted: it is a matter of the machine, and the loop prints it.
    process.stdout.write(`An edit was served after ${((performance.now() - savedMs) / 1000).toFixed(1)} s.\n`);
    await reference.page.getByText('An edit of this summary').first().waitFor();
    await loop.waitFor(/^types ok/m);
  });

  it('gets file, line and column of a mistake, while the last good contract is served', async () => {
    edit(me, 'schemas/Me.yaml', 'schemas/Mee.yaml');
    const output = await loop.waitFor(promised('docs/guides/change-the-contract.md', 'The service goes on with the last good one.'));
    expect(output).to.include(
      promised('docs/guides/change-the-contract.md', 'openapi/paths/me.yaml:25:27  There is no file openapi/components/schemas/Mee.yaml.'),
    );
    expect(await call('/me')).to.include('"access_level":"admin"');
    edit(me, 'schemas/Mee.yaml', 'schemas/Me.yaml');
    await loop.waitFor('contract ok');
  });

  it('gets file and line of an error in a handler, which is served until it is mended', async () => {
    const fault = "  if (caller.user.id > 0) throw new Error('a fault in a handler');\n";
    const first = '  const coupons = await storage';
    edit('handlers/identity.ts', first, `${fault}${first}`);
    await loop.waitFor('reloaded in');
    expect(await call('/me')).to.include('"status":500');
    expect(await loop.waitFor('a fault in a handler')).to.match(/^handlers\/identity\.ts:\d+:\d+ +Error: a fault in a handler$/m);
    edit('handlers/identity.ts', fault, '');
    await loop.waitFor('reloaded in');
    expect(await call('/me')).to.include('"access_level":"admin"');
  });

  it('adds a field, and gets every consequence with its place, until service and reference page have it', async () => {
    const [field = ''] = blocksIn('yaml');
    edit(`${schemas}/Key.yaml`, 'properties:\n', `properties:\n${field}`);
    expect(await loop.waitFor('The service goes on with the last good one.'))
      .to.match(/^openapi\/components\/schemas\/Key\.yaml:\d+:\d+ .*days_left/m)
      .and.include(promised('docs/guides/change-the-contract.md', 'contract/always-present'))
      .and.include(promised('docs/guides/change-the-contract.md', 'contract/record-extends'));
    edit(`${schemas}/KeyCreated.yaml`, 'properties:\n', `properties:\n${field}`);
    edit(`${schemas}/KeyCreated.yaml`, 'created_by,', 'created_by, days_left,');
    edit(`${examples}/keys.yaml`, '    created_by: 1\n', '    created_by: 1\n    days_left: 149\n');
    edit(`${examples}/key-created.yaml`, '  created_by: 1\n', '  created_by: 1\n  days_left: 391\n');
    edit(`${schemas}/Key.yaml`, 'created_by]', 'created_by, days_left]');
    expect(
      await loop.waitFor(promised('docs/guides/change-the-contract.md', 'The new contract is served; the code does not keep it yet.')),
    ).to.match(/^handlers\/views\/key\.ts:\d+:\d+ +Property 'days_left' is missing/m);
    const [line = '', helper = ''] = blocksIn('ts');
    edit('domain/dates.ts', /$/, `\n${helper}`);
    edit('handlers/views/key.ts', 'import { localDateTime }', 'import { dayOf, daysBetween, localDateTime }');
    edit('handlers/views/key.ts', '    created_by: key.createdBy,\n', `    created_by: key.createdBy,\n    ${line}`);
    await loop.waitFor(/types ok.*reloaded/);
    expect(await call('/keys')).to.match(/"days_left":(null|\d+)/);
    await reference.page.getByText('days_left').first().waitFor({ state: 'attached' });
  });

  it('is told which client a breaking change breaks', async () => {
    for (const file of [`${schemas}/KeyRevoked.yaml`, `${examples}/key-revoked.yaml`]) edit(file, /revoked/g, 'withdrawn');
    const output = await loop.waitFor(promised('docs/guides/change-the-contract.md', 'breaking changes against the released contract.'));
    expect(output).to.match(/^openapi\/components\/schemas\/KeyRevoked\.yaml:\d+:1 +breaking: DELETE \/keys\/\{id\} › .*revoked/m);
    for (const file of [`${schemas}/KeyRevoked.yaml`, `${examples}/key-revoked.yaml`]) edit(file, /withdrawn/g, 'revoked');
    await loop.waitFor(/types ok/);
  });

  it('writes a new operation with one command, which is served at once', async () => {
    const output = await second.run(promised('docs/guides/change-the-contract.md', "npm run new -- get '/coupons/{id}/notes'"));
    expect(output).to.include('get_coupons_id_notes is written');
    await loop.waitFor('reloaded in');
    expect(await call('/coupons/1/notes')).to.match(/^[[{]/);
    await reference.page.locator('[data-operation=get_coupons_id_notes]').waitFor({ state: 'attached' });
  });

  it('ends the loop and all of its processes with Ctrl-C, and shows the new contract to frontend developers by the mock', async () => {
    await reference.page.goto('about:blank');
    expect(processesIn(checkout.folder).length).to.be.above(3);
    await loop.interrupt();
    // A process that was killed may take a moment to end on a busy machine.
    await waitUntil(60_000, async () => processesIn(checkout.folder).length === 0 && isPortFree(url));
    const printed = await second.start(promised('docs/guides/change-the-contract.md', 'npm run mock'), 'every operation');
    const [, base = ''] = /listening on (\S+)/.exec(printed) ?? [];
    expect(await loop.run(`curl -s -H 'Authorization: Bearer anything' ${base}/keys`)).to.match(/"days_left": ?149/);
  });
});
