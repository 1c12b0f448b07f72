import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { type OperationId, operations } from '../../generated/operations.ts';
import { declaredCodes } from '../../server/contract/responses.ts';
import { theContract } from '../support/contract.ts';
import { ContractCopy } from '../support/contract-copy.ts';

const files = ['openapi.json', 'api.d.ts', 'operations.ts', 'transitions.ts', 'events.ts', 'client.ts'];

const generate = (cwd: string, ...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts', ...args], { cwd, encoding: 'utf8' });

describe('generated/', () => {
  let contract: ContractCopy;
  beforeEach(() => {
    contract = new ContractCopy();
  });
  afterEach(() => contract.remove());

  const generated = (file: string): string => readFileSync(path.join(contract.folder, 'generated', file), 'utf8');

  it('is committed as npm run generate writes it, byte for byte', () => {
    const run = generate('.', '--check');
    expect(run.status, run.stderr).to.equal(0);
  });

  it('does not depend on when or where it is generated', () => {
    expect(generate(contract.folder).status).to.equal(0);
    for (const file of files) expect(generated(file), file).to.equal(readFileSync(path.join('generated', file), 'utf8'));
  });

  it('is found stale after a change of the YAML, with the files and the command to run', () => {
    contract.edit('paths/coupons_id.yaml', 'x-scope: read', 'x-scope: write');
    const run = generate(contract.folder, '--check');
    expect(run.status).to.equal(1);
    expect(run.stderr).to.include('generated/operations.ts').and.include('npm run generate');
  });

  it('lists the error codes of an operation as the reply check does', async () => {
    const { operations: compiled } = await theContract();
    for (const operation of compiled)
      for (const [status, codes] of Object.entries(operations[operation.operationId as OperationId].errorCodes))
        expect(codes, operation.operationId).to.deep.equal(declaredCodes(operation, Number(status)));
  });

  it('is not changed by a contract that cannot be parsed, whose file the message names', () => {
    contract.edit('paths/me.yaml', 'operationId: get_me', 'operationId: get_me: oops');
    const before = generated('openapi.json');
    const run = generate(contract.folder);
    expect(run.status).to.equal(1);
    expect(run.stderr).to.include('paths/me.yaml');
    expect(generated('openapi.json')).to.equal(before);
  });
});

describe('the constants in generated/operations.ts', () => {
  let operationsText: string;

  // Independent changes, generated together: bundling the contract takes seconds.
  before(() => {
    const contract = new ContractCopy();
    try {
      contract.edit('paths/coupons_id.yaml', 'x-access: [admin, owner, upline]', 'x-access: [admin]');
      addSecrets(contract);
      addDefaults(contract);
      contract.edit('paths/keys_id.yaml', 'delete:\n  operationId: delete_keys_id', 'put:\n  operationId: put_keys_id');
      expect(generate(contract.folder).stderr).to.equal('');
      operationsText = readFileSync(path.join(contract.folder, 'generated/operations.ts'), 'utf8');
    } finally {
      contract.remove();
    }
  });

  function addSecrets(contract: ContractCopy): void {
    const text = (more: string) => `{ type: string, maxLength: 9, description: n, examples: [n]${more} }`;
    contract.edit(
      'components/schemas/KeyRequest.yaml',
      'properties:\n',
      `properties:\n  vault: { type: object, description: n, properties: { pin: ${text(', x-secret: true')}, hint: ${text('')} } }\n` +
        '  seal: { $ref: ./Day.yaml, x-secret: true }\n',
    );
    contract.edit('components/parameters/IdempotencyKey.yaml', 'in: header\n', 'in: header\nx-secret: true\n');
  }

  function addDefaults(contract: ContractCopy): void {
    contract.edit('components/schemas/KeyRequest.yaml', '{ $ref: ./Id.yaml, ', '{ $ref: ./Id.yaml, default: 7, ');
    contract.edit('components/schemas/Interval.yaml', /$/, 'default: day\n');
    contract.edit(
      'components/parameters/Interval.yaml',
      '{ $ref: ../schemas/Interval.yaml }',
      '{ $ref: ../schemas/Interval.yaml, default: month }',
    );
  }

  it('have access, scope and error codes of the YAML', () => {
    expect(operationsText).to.match(/get_coupons_id: \{\s+method.*\s+path.*\s+tag.*\s+summary.*\s+access: \['admin'\]/);
  });

  it('list every secret: nested properties, parameters, and x-secret beside a $ref', () => {
    expect(operationsText).to.include("secretNames = ['idempotency-key', 'pin', 'seal', 'secret', 'token'] as const");
  });

  it('have the default beside a $ref rather than that of the schema it refers to', () => {
    expect(operationsText)
      .to.match(/post_keys: \{[^}]*defaults: \{ query: \{\}, body: \{ user_id: 7, description: '', scopes: \['read'\] \} \}/)
      .and.match(/get_coupons_id_stats: \{[\s\S]*?defaults: \{ query: \{[^}]*interval: 'month'/);
  });

  it('have every operation, whatever its method', () => {
    expect(operationsText).to.match(/put_keys_id: \{\s+method: 'put'/);
  });
});

describe('npm run release:contract', () => {
  let contract: ContractCopy;
  beforeEach(() => {
    contract = new ContractCopy();
  });
  afterEach(() => contract.remove());

  const release = () =>
    spawnSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts', '--release'], { cwd: contract.folder, encoding: 'utf8' });
  const file = (name: string): string => readFileSync(path.join(contract.folder, name), 'utf8');

  it('copies the generated contract to openapi/released.json, also with breaking changes', () => {
    contract.edit('paths/affiliates.yaml', /^.*parameters\/Search\.yaml\n/m, '');
    generate(contract.folder);
    const run = release();
    expect(run.status, run.stderr).to.equal(0);
    expect(file('openapi/released.json')).to.equal(file('generated/openapi.json'));
  });

  it('fails while generated/ is stale', () => {
    contract.edit('paths/affiliates.yaml', /^.*parameters\/Search\.yaml\n/m, '');
    const before = file('openapi/released.json');
    const run = release();
    expect(run.status).to.equal(1);
    expect(run.stderr).to.include('generated/openapi.json does not follow').and.include('released.json stays as it was');
    expect(file('openapi/released.json')).to.equal(before);
  });
});
