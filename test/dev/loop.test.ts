import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { isFree, Workshop } from './workshop.ts';

const reloaded = /contract ok · 28 operations · reloaded in [\d.]+ s/;
const typesOk = /^types ok \([\d.]+ s\)$/m;
const reloadedTogether = /contract ok · 28 operations · types ok · reloaded in [\d.]+ s/;
const schema = 'openapi/components/schemas/KeyRevoked.yaml';

/** The processes below this one, as Linux tells it; none where it cannot be told. */
function descendantsOf(pid: number): number[] {
  const children = (readable(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);
  return [...children, ...children.flatMap(descendantsOf)];
}

function readable(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Ended, or ended and not yet collected by whoever inherited it. */
const isGone = (pid: number): boolean => /^\d+ \(.*\) [ZX]|^$/s.test(readable(`/proc/${pid}/stat`) ?? '');

// One loop for all of them, in the order of a designer's morning: it takes seconds to start.
describe("the designer's loop", () => {
  let workshop: Workshop;
  let url: string;
  let greeting: string;

  const served = async (): Promise<string> => (await fetch(`${url}/api/v2/openapi`)).text();

  before(async () => {
    workshop = new Workshop();
    greeting = await workshop.hear(/Ctrl-C ends it/);
    url = /http:\S+?(?=\s)/.exec(greeting)?.[0] ?? '';
    await workshop.hear(/contract ok · 28 operations · types ok · nothing to reload/);
  });

  it('begins with a store that has something in it, and says in plain words where it is and how to get in', async () => {
    const [, token = ''] = /Admin token +(svc_\S+)/.exec(greeting) ?? [];
    const listed = await fetch(`${url}/api/v2/coupons`, { headers: { Authorization: `Bearer ${token}` } });
    expect({ status: listed.status, some: Number(listed.headers.get('X-Svc-Total')) > 10 }).to.deep.equal({ status: 200, some: true });
    expect(greeting)
      .to.include(`${url}/docs`)
      .and.include('data/dev/demo')
      .and.match(/admin with the password \S+/);
    expect(greeting).not.to.include('{"level"');
  });

  it('serves a sentence of the contract as soon as it is saved, and the reference page with it', async () => {
    workshop.edit('openapi/paths/me.yaml', 'summary: Show who is calling', 'summary: Say who is calling');
    await workshop.hear(reloaded);
    expect(await served()).to.include('Say who is calling');
    expect(workshop.read('generated/operations.ts')).to.include('Say who is calling');
    expect((await fetch(`${url}/docs`)).status).to.equal(200);
  });

  it('names file, line and column of a reference that leads nowhere, and goes on serving the last good contract', async () => {
    workshop.edit('openapi/paths/me.yaml', 'schemas/Me.yaml', 'schemas/Mee.yaml');
    workshop.edit('openapi/paths/me.yaml', 'Say who is calling', 'Guess who is calling');
    const said = await workshop.hear(/goes on/);
    expect(said).to.match(
      /^openapi\/paths\/me\.yaml:18:19 {2}Can't resolve \$ref.*openapi\/components\/schemas\/Mee\.yaml.*\(no-unresolved-refs\)$/m,
    );
    expect(said).to.include('1 problem in the contract. The service goes on with the last good one.');
    expect(await served()).to.include('Say who is calling');
    expect(workshop.read('generated/openapi.json')).not.to.include('Guess who is calling');
  });

  it('names the line of a file that is no YAML, once', async () => {
    workshop.edit('openapi/paths/me.yaml', 'operationId: get_me', 'operationId: get_me: oops');
    const said = await workshop.hear(/goes on/);
    expect(said)
      .to.match(/^openapi\/paths\/me\.yaml:2:22 {2}This is no YAML: .*\.$/m)
      .and.include('1 problem in the contract');
  });

  it('serves again when it is mended', async () => {
    workshop.edit('openapi/paths/me.yaml', 'operationId: get_me: oops', 'operationId: get_me');
    workshop.edit('openapi/paths/me.yaml', 'schemas/Mee.yaml', 'schemas/Me.yaml');
    await workshop.hear(reloaded);
    expect(await served()).to.include('Guess who is calling');
    await workshop.hear(typesOk);
  });

  it('serves a good contract before it knows what the code makes of it, then names the code that does not keep it', async () => {
    const before = workshop.read(schema);
    workshop.edit(schema, /revoked/g, 'withdrawn');
    workshop.edit('openapi/components/examples/key-revoked.yaml', /revoked/g, 'withdrawn');
    await workshop.hear(reloaded);
    expect(await served()).to.include('withdrawn');
    const said = await workshop.hear(/problems? in the code/);
    expect(said).to.match(/^handlers\/keys\.ts:\d+:\d+ {2}Property 'withdrawn' is missing .*\(TS\d+\)$/m);
    expect(said).to.match(/which does not fit the contract any more\. The new contract is served; the code does not keep it yet\.$/);
    workshop.save(schema, before);
    workshop.edit('openapi/components/examples/key-revoked.yaml', /withdrawn/g, 'revoked');
    await workshop.hear(reloaded);
    await workshop.hear(typesOk);
  });

  it('serves no code that is wrong by itself, nor a contract beside it', async () => {
    workshop.save('handlers/made-in-between.ts', "export const half: number = 'half';\n");
    const before = workshop.read(schema);
    workshop.edit(schema, /revoked/g, 'withdrawn');
    workshop.edit('openapi/components/examples/key-revoked.yaml', /revoked/g, 'withdrawn');
    const said = await workshop.hear(/goes on/);
    expect(said)
      .to.match(/^handlers\/keys\.ts:\d+:\d+ {2}Property 'withdrawn' is missing .*\(TS\d+\)$/m)
      .and.include(schema);
    expect(said).to.match(/^handlers\/made-in-between\.ts:1:14 {2}.*\(TS2322\)$/m);
    expect(said).to.match(/problems? in the code, which does not fit the contract any more\. The service goes on as it was\./);
    workshop.save('handlers/made-in-between.ts', 'export const half = 0.5;\n');
    workshop.save(schema, before);
    workshop.edit('openapi/components/examples/key-revoked.yaml', /withdrawn/g, 'revoked');
    await workshop.hear(reloadedTogether);
  });

  it('leaves no process behind when it is interrupted', async () => {
    const processes = descendantsOf(workshop.pid);
    if (readdirSync('/').includes('proc')) expect(processes).to.have.length.greaterThan(3);
    const { code, said } = await workshop.interrupt();
    expect({ code, gone: processes.every(isGone), free: await isFree(url) }).to.deep.equal({ code: 0, gone: true, free: true });
    expect(said).not.to.include('\u001B');
  });
});
