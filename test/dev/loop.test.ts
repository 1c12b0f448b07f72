import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { operations } from '../../generated/operations.ts';
import { waitUntil } from '../cli/running-service.ts';
import { breakages } from '../contract/breakages/index.ts';
import { edits } from '../contract/edits.ts';
import { inProof } from '../support/in-proof.ts';
import { DevProject, isPortFree } from './dev-project.ts';

const count = Object.keys(operations).length;
const reloaded = new RegExp(`contract ok · ${count} operations · reloaded in [\\d.]+ s`);
const typesOk = /^types ok \([\d.]+ s\)$/m;
const reloadedTogether = new RegExp(`contract ok · ${count} operations · types ok · reloaded in [\\d.]+ s`);
const schema = 'openapi/components/schemas/KeyRevoked.yaml';
const example = 'openapi/components/examples/key-revoked.yaml';

/** The child processes at any depth on Linux; none on other systems. */
function descendantsOf(pid: number): number[] {
  const children = (readIfPresent(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);
  return [...children, ...children.flatMap(descendantsOf)];
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Ended, or a zombie that its new parent has not collected yet. */
const isGone = (pid: number): boolean => /^\d+ \(.*\) [ZX]|^$/s.test(readIfPresent(`/proc/${pid}/stat`) ?? '');

/** PROVE_DEV=all. In CI test/journeys/designer.journey.ts runs the loop; test/contract/lint-command.test.ts has the words of mistakes. */
const { describeInProof } = inProof('PROVE_DEV');

// One process for all tests, which run in order: it takes seconds to start.
describeInProof('npm run dev', () => {
  let project: DevProject;
  let url: string;
  let greeting: string;

  const fetchContract = async (): Promise<string> => (await fetch(`${url}/api/v2/openapi`)).text();

  before(async () => {
    project = new DevProject(['handlers', 'generated']);
    greeting = await project.waitFor(/Ctrl-C ends it/);
    url = /http:\S+?(?=\s)/.exec(greeting)?.[0] ?? '';
    await project.waitFor(new RegExp(`contract ok · ${count} operations · types ok · nothing to reload`));
  });

  it('starts with a store that has data, and prints its URL, folder and credentials', async () => {
    const [, token = ''] = /Admin token +(svc_\S+)/.exec(greeting) ?? [];
    const response = await fetch(`${url}/api/v2/coupons`, { headers: { Authorization: `Bearer ${token}` } });
    expect(response.status).to.equal(200);
    expect(Number(response.headers.get('X-Svc-Total'))).to.be.above(10);
    expect(greeting)
      .to.include(`${url}/docs`)
      .and.include('data/dev/demo')
      .and.match(/admin with the password \S+/);
    expect(greeting).not.to.include('{"level"');
  });

  it('prints a syntax error of the root file without a stack, a banner or an absolute path', async () => {
    project.edit('openapi/openapi.yaml', 'title: Affiliate Program API', 'title: Affiliate Program API: oops');
    const output = await project.waitFor(/goes on/);
    expect(output.trim().split('\n')).to.deep.equal([
      'openapi/openapi.yaml:3:31  This is no YAML: bad indentation of a mapping entry.',
      '1 problem in the contract. The service goes on with the last good one.',
    ]);
  });

  it('serves the contract again when it is fixed, with an edited summary, and the reference page', async () => {
    project.edit('openapi/openapi.yaml', 'title: Affiliate Program API: oops', 'title: Affiliate Program API');
    project.edit('openapi/paths/me.yaml', 'summary: Show who is calling', 'summary: Say who is calling');
    await project.waitFor(reloaded);
    expect(await fetchContract()).to.include('Say who is calling');
    expect(project.read('generated/operations.ts')).to.include('Say who is calling');
    expect((await fetch(`${url}/docs`)).status).to.equal(200);
    await project.waitFor(typesOk);
  });

  it('prints file, line and column of an unresolved reference, and continues to serve the last good contract', async () => {
    project.edit('openapi/paths/me.yaml', 'schemas/Me.yaml', 'schemas/Mee.yaml');
    project.edit('openapi/paths/me.yaml', 'Say who is calling', 'Guess who is calling');
    const output = await project.waitFor(/goes on/);
    expect(output).to.match(/^openapi\/paths\/me\.yaml:25:27 {2}There is no file openapi\/components\/schemas\/Mee\.yaml\./m);
    expect(output).to.include('1 problem in the contract. The service goes on with the last good one.');
    expect(await fetchContract()).to.include('Say who is calling');
    expect(project.read('generated/openapi.json')).not.to.include('Guess who is calling');
  });

  it('prints the line of a YAML syntax error once, without its consequences', async () => {
    project.edit('openapi/paths/me.yaml', 'operationId: get_me', 'operationId: get_me: oops');
    const output = await project.waitFor(/goes on/);
    expect(output)
      .to.match(/^openapi\/paths\/me\.yaml:2:22 {2}This is no YAML: .*\.$/m)
      .and.include('1 problem in the contract');
    project.edit('openapi/paths/me.yaml', 'operationId: get_me: oops', 'operationId: get_me');
    project.edit('openapi/paths/me.yaml', 'schemas/Mee.yaml', 'schemas/Me.yaml');
    await project.waitFor(reloaded);
    expect(await fetchContract()).to.include('Guess who is calling');
    await project.waitFor(typesOk);
  });

  it('prints one message for a missing colon', async () => {
    project.edit('openapi/components/schemas/Key.yaml', '  user: { $ref', '  user { $ref');
    const output = await project.waitFor(/goes on/);
    // The comparison with the released contract may still run after the save before.
    const problems = output.split('\n').filter((line) => line.startsWith('openapi/') && !line.includes('breaking:'));
    expect(problems).to.deep.equal(['openapi/components/schemas/Key.yaml:10:3  A colon is missing in "user { $ref".']);
    expect(output).to.include('1 problem in the contract. The service goes on with the last good one.');
    project.edit('openapi/components/schemas/Key.yaml', '  user { $ref', '  user: { $ref');
    await project.waitFor(/contract ok/);
  });

  it('serves a valid contract before the code is checked against it, then prints the code that does not keep it', async () => {
    project.edit(schema, /revoked/g, 'withdrawn');
    project.edit(example, /revoked/g, 'withdrawn');
    await project.waitFor(reloaded);
    expect(await fetchContract()).to.include('withdrawn');
    const output = await project.waitFor(/problems? in the code/);
    expect(output).to.match(/^handlers\/keys\.ts:\d+:\d+ {2}Property 'withdrawn' is missing .*\(TS\d+\)$/m);
    expect(output).to.match(/which does not fit the contract any more\. The new contract is served; the code does not keep it yet\.$/);
    const breaking = await project.waitFor(/breaking changes? against the released contract/);
    expect(breaking).to.match(
      /^openapi\/components\/schemas\/KeyRevoked\.yaml:\d+:1 {2}breaking: DELETE \/keys\/\{id\} › .*revoked.*, allowed only with a new major version$/m,
    );
  });

  it('serves neither code with a type error nor a contract that is saved with it, and names the place in the contract', async () => {
    project.save('handlers/new-file.ts', "export const half: number = 'half';\n");
    project.edit(schema, /withdrawn/g, 'retracted');
    project.edit(example, /withdrawn/g, 'retracted');
    const output = await project.waitFor(/goes on/);
    expect(output)
      .to.match(/^handlers\/keys\.ts:\d+:\d+ {2}Property 'retracted' is missing .*\(TS\d+\)$/m)
      .and.match(/the contract: openapi\/components\/schemas\/KeyRevoked\.yaml:\d+:3$/m);
    expect(output).to.match(/^handlers\/new-file\.ts:1:14 {2}.*\(TS2322\)$/m);
    expect(output).to.match(/problems? in the code, which does not fit the contract any more\. The service goes on as it was\./);
    expect(await fetchContract())
      .to.include('withdrawn')
      .and.not.include('retracted');
    project.save('handlers/new-file.ts', 'export const half = 0.5;\n');
    project.edit(schema, /retracted/g, 'revoked');
    project.edit(example, /retracted/g, 'revoked');
    await project.waitFor(reloadedTogether);
  });

  it('prints file and line of an error in a handler', async () => {
    const fault = "  if (caller.user.id > 0) throw new Error('a fault in a handler');\n";
    const first = '  const coupons = await storage';
    project.edit('handlers/identity.ts', first, `${fault}${first}`);
    await project.waitFor(/reloaded/);
    const [, token = ''] = /Admin token +(svc_\S+)/.exec(greeting) ?? [];
    expect((await fetch(`${url}/api/v2/me`, { headers: { Authorization: `Bearer ${token}` } })).status).to.equal(500);
    expect(await project.waitFor(/a fault in a handler/)).to.match(/^handlers\/identity\.ts:\d+:\d+ {2}Error: a fault in a handler$/m);
    project.edit('handlers/identity.ts', fault, '');
    await project.waitFor(/reloaded/);
  });

  it('lints with the rules of redocly.yaml as they are saved', async () => {
    const rule = '  operation-4xx-problem-details-rfc7807: error\n';
    project.edit('redocly.yaml', '  operation-description: error\n', `  operation-description: error\n${rule}`);
    await project.waitFor(/\(operation-4xx-problem-details-rfc7807\)[\s\S]*The service goes on with the last good one/);
    project.edit('redocly.yaml', rule, '');
    await project.waitFor(typesOk);
  });

  it('goes on as it was when an operation is removed from the YAML and not from the code, and names it', async () => {
    const root = project.read('openapi/openapi.yaml');
    project.edit('openapi/openapi.yaml', /^ {2}\/me\/profile: .*\n/m, '');
    const output = await project.waitFor(/The service goes on as it was/);
    expect(output).to.match(/^Error: Unknown operationId patch_me_profile\..*\n/m);
    expect(output).to.include('the contract: openapi/openapi.yaml, saved since');
    expect((await fetch(`${url}/api/v2/coupons`)).status).to.equal(401);
    project.save('openapi/openapi.yaml', root);
    await project.waitFor(new RegExp(`contract ok · ${count} operations`));
    await project.waitFor(typesOk);
    expect(await fetchContract()).to.include('patch_me_profile');
  });

  const oneOf = <Row>(rows: readonly Row[], parts: number): Row[] => rows.filter((_, at) => at % Math.ceil(rows.length / parts) === 0);

  it('serves what lint accepts, and goes on as it was after what lint refuses, for ten edits of the tables', async () => {
    const root = project.read('openapi/openapi.yaml');
    const bundle = project.read('generated/openapi.json');
    for (const [at, row] of [...oneOf(edits, 5), ...oneOf(breakages, 5)].entries()) {
      const contract = JSON.parse(bundle);
      row.break.apply(contract);
      contract.paths['/me'].get.summary = `Say who is calling, ${at}`;
      // The whole contract in one file, as JSON, which is YAML.
      project.save('openapi/openapi.yaml', JSON.stringify(contract, null, 2));
      const isRefused = 'rule' in row;
      const output = await project.waitFor(isRefused ? /goes on with the last good one/ : /contract ok/);
      if (isRefused) expect(output, row.title).to.include(`(contract/${row.rule})`);
      expect((await fetchContract()).includes(`Say who is calling, ${at}"`), row.title).to.equal(!isRefused);
    }
    project.save('openapi/openapi.yaml', root);
    await project.waitFor(reloaded);
    await project.waitFor(typesOk);
  });

  it('leaves no process behind when it is interrupted', async () => {
    const processes = descendantsOf(project.pid);
    if (readdirSync('/').includes('proc')) expect(processes).to.have.length.greaterThan(3);
    const { code, output } = await project.interrupt();
    expect(code).to.equal(0);
    // A process that was killed may take a moment to end on a busy machine.
    await waitUntil(60_000, async () => processes.every(isGone) && isPortFree(url));
    expect(output).not.to.include('\u001B');
  });
});
