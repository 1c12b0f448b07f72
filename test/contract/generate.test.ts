import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { type OperationId, operations } from '../../generated/operations.ts';
import { bundleContract } from '../../scripts/contract/document.ts';
import { formatOperations } from '../../scripts/generate/operations.ts';
import { sourceFolders } from '../../scripts/shared/sources.ts';
import { declaredCodes } from '../../server/contract/responses.ts';
import { compiledProgram } from '../cli/compiled-command.ts';
import { theContract } from '../support/contract.ts';
import { ContractCopy } from '../support/contract-copy.ts';
import { inProof } from '../support/in-proof.ts';

const generate = (cwd: string, ...args: string[]) =>
  spawnSync(process.execPath, [...compiledProgram('scripts/generate.ts'), ...args], { cwd, encoding: 'utf8' });

/** PROVE_DOCUMENTS=all: bundling the contract takes seconds. */
const { itInProof } = inProof('PROVE_DOCUMENTS');

// That it is committed as it is generated is part of npm run check.
describe('generated/', () => {
  let contract: ContractCopy;
  beforeEach(() => {
    contract = new ContractCopy();
  });
  afterEach(() => contract.remove());

  const generated = (file: string): string => readFileSync(path.join(contract.folder, 'generated', file), 'utf8');

  itInProof('is found stale after a change of the YAML, with the files and the command to run, and cannot be released', () => {
    contract.edit('paths/coupons_id.yaml', 'x-scope: read', 'x-scope: write');
    const run = generate(contract.folder, '--check');
    expect(run.status).to.equal(1);
    expect(run.stderr).to.include('generated/operations.ts').and.include('npm run generate');
    const released = readFileSync(path.join(contract.folder, 'openapi/released.json'), 'utf8');
    const release = generate(contract.folder, '--release');
    expect(release.status).to.equal(1);
    expect(release.stderr).to.include('generated/openapi.json does not follow').and.include('released.json stays as it was');
    expect(readFileSync(path.join(contract.folder, 'openapi/released.json'), 'utf8')).to.equal(released);
  });

  it('lists the error codes of an operation as the reply check does', async () => {
    const { operations: compiled } = await theContract();
    for (const operation of compiled)
      for (const [status, codes] of Object.entries(operations[operation.operationId as OperationId].errorCodes))
        expect(codes, operation.operationId).to.deep.equal(declaredCodes(operation, Number(status)));
  });

  itInProof('is not changed by a contract that cannot be parsed, whose file the message names', () => {
    contract.edit('paths/me.yaml', 'operationId: get_me', 'operationId: get_me: oops');
    const before = generated('openapi.json');
    const run = generate(contract.folder);
    expect(run.status).to.equal(1);
    expect(run.stderr).to.include('paths/me.yaml');
    expect(generated('openapi.json')).to.equal(before);
  });
});

describe('generated/ that was damaged', () => {
  itInProof('is repaired by npm run generate, also where a file that its own code imports is missing or is no code', () => {
    const contract = new ContractCopy(...sourceFolders.filter((folder) => folder !== 'generated'));
    const names = readdirSync('generated');
    const damaged = (name: string): string => path.join(contract.folder, 'generated', name);
    writeFileSync(damaged('operations.ts'), 'export const operations = {');
    writeFileSync(damaged('events.ts'), '<<<<<<< HEAD\n');
    rmSync(damaged('records.ts'));
    const args = ['--import', 'tsx', 'scripts/generate.ts'];
    const run = spawnSync(process.execPath, args, { cwd: contract.folder, encoding: 'utf8' });
    expect(run.status, run.stderr).to.equal(0);
    for (const name of names) expect(readFileSync(damaged(name), 'utf8'), name).to.equal(readFileSync(`generated/${name}`, 'utf8'));
    contract.remove();
  });
});

describe('generated/ of a changed contract', () => {
  let contract: ContractCopy;
  let operationsText: string;

  // Independent changes, generated together: bundling the contract takes seconds.
  before(async () => {
    contract = new ContractCopy();
    contract.edit('paths/coupons_id.yaml', /x-access: \[admin, owner, upline\]\n.*x-owner.*\n/, 'x-access: [admin]\n');
    contract.edit('paths/affiliates.yaml', /^.*parameters\/Search\.yaml\n/m, '');
    addSecrets();
    addDefaults();
    contract.edit('paths/keys_id.yaml', 'delete:\n  operationId: delete_keys_id', 'put:\n  operationId: put_keys_id');
    operationsText = formatOperations(await bundleContract(contract.root));
  });
  after(() => contract.remove());

  const file = (name: string): string => readFileSync(path.join(contract.folder, name), 'utf8');

  function addSecrets(): void {
    const text = (more: string) => `{ type: string, maxLength: 9, description: n, examples: [n]${more} }`;
    contract.edit('components/schemas/KeyRequest.yaml', 'properties:\n', 'properties:\n  seal: { $ref: ./Day.yaml, x-secret: true }\n');
    contract.edit(
      'components/schemas/PayoutDetailsChange.yaml',
      'properties:\n',
      `properties:\n  vault: { type: object, description: n, properties: { pin: ${text(', x-secret: true')}, hint: ${text('')} } }\n`,
    );
    contract.edit('components/parameters/IdempotencyKey.yaml', 'in: header\n', 'in: header\nx-secret: true\n');
  }

  function addDefaults(): void {
    contract.edit('components/schemas/KeyRequest.yaml', '{ $ref: ./Id.yaml, ', '{ $ref: ./Id.yaml, default: 7, ');
    contract.edit('components/schemas/Interval.yaml', /$/, 'default: day\n');
    contract.edit(
      'components/parameters/Interval.yaml',
      '{ $ref: ../schemas/Interval.yaml }',
      '{ $ref: ../schemas/Interval.yaml, default: month }',
    );
  }

  it('has access, scope and error codes of the YAML', () => {
    expect(operationsText).to.match(/get_coupons_id: \{\s+method.*\s+path.*\s+tag.*\s+summary.*\s+access: \['admin'\]/);
  });

  it('lists every secret: nested properties, parameters, and x-secret beside a $ref', () => {
    expect(operationsText).to.include("secretNames = ['idempotency-key', 'pin', 'seal', 'secret', 'token'] as const");
  });

  it('has the default beside a $ref rather than that of the schema it refers to', () => {
    expect(operationsText)
      .to.match(/post_keys: \{[^}]*defaults: \{ query: \{\}, body: \{ user_id: 7, description: '', scopes: \['read'\] \} \}/)
      .and.match(/get_coupons_id_stats: \{[\s\S]*?defaults: \{ query: \{[^}]*interval: 'month'/);
  });

  it('has every operation, whatever its method', () => {
    expect(operationsText).to.match(/put_keys_id: \{\s+method: 'put'/);
  });

  itInProof('is copied to openapi/released.json by npm run release:contract, with breaking changes that CHANGELOG.md names', () => {
    expect(generate(contract.folder).stderr).to.equal('');
    const refused = generate(contract.folder, '--release');
    expect([refused.status, refused.stderr.includes('released.json stays as it was')]).to.deep.equal([1, true]);
    const operationNames = ['GET /affiliates', 'GET /coupons/{id}', 'DELETE /keys/{id}'];
    const fields = ['search', 'x-access', 'x-owner', 'default', 'x-secret', 'schema'];
    const names = [...operationNames, ...fields, 'KeyRequest', 'Interval', 'PayoutDetailsChange'];
    writeFileSync(path.join(contract.folder, 'CHANGELOG.md'), `## 2.0.0\n\n2.0.0 is not published: \`${names.join('`, `')}\`.\n`);
    const run = generate(contract.folder, '--release', '--unpublished');
    expect(run.status, run.stderr).to.equal(0);
    expect(file('openapi/released.json')).to.equal(file('generated/openapi.json'));
  });
});
