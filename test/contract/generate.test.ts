import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ContractCopy } from '../support/contract-copy.ts';

const files = ['openapi.json', 'api.d.ts', 'operations.ts', 'transitions.ts', 'events.ts'];

const generate = (cwd: string, ...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts', ...args], { cwd, encoding: 'utf8' });

describe('what is generated from the contract', () => {
  let contract: ContractCopy;
  beforeEach(() => {
    contract = new ContractCopy();
  });
  afterEach(() => contract.remove());

  const generated = (file: string): string => readFileSync(path.join(contract.folder, 'generated', file), 'utf8');

  it('is committed as it follows from the sources, byte for byte', () => {
    const run = generate('.', '--check');
    expect(run.status, run.stderr).to.equal(0);
  });

  it('does not depend on when or where it is generated', () => {
    expect(generate(contract.folder).status).to.equal(0);
    for (const file of files) expect(generated(file), file).to.equal(readFileSync(path.join('generated', file), 'utf8'));
  });

  it('is found stale after a change of the YAML, naming the files and the command', () => {
    contract.edit('paths/coupons_id.yaml', 'x-scope: read', 'x-scope: write');
    const run = generate(contract.folder, '--check');
    expect(run.status).to.equal(1);
    expect(run.stderr).to.include('generated/operations.ts').and.include('npm run generate');
  });

  it('carries access, scope and error codes from the YAML into the constants', () => {
    contract.edit('paths/coupons_id.yaml', 'x-access: [admin, owner, upline]', 'x-access: [admin]');
    generate(contract.folder);
    expect(generated('operations.ts')).to.match(/get_coupons_id: \{\s+method.*\s+path.*\s+tag.*\s+summary.*\s+access: \['admin'\]/);
  });

  it('is not touched by a contract that cannot be read, and the message names the file and line', () => {
    contract.edit('paths/me.yaml', 'operationId: get_me', 'operationId: get_me: oops');
    const before = generated('openapi.json');
    const run = generate(contract.folder);
    expect(run.status).to.equal(1);
    expect(run.stderr).to.include('paths/me.yaml');
    expect(generated('openapi.json')).to.equal(before);
  });
});
