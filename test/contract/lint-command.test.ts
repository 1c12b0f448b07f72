import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { compiledProgram } from '../cli/compiled-command.ts';
import { ContractCopy } from '../support/contract-copy.ts';
import { inProof } from '../support/in-proof.ts';

/** PROVE_DOCUMENTS=all: each run of the lint takes seconds. */
const { itInProof } = inProof('PROVE_DOCUMENTS');

describe('npm run lint, for the contract,', () => {
  let contract: ContractCopy;
  beforeEach(() => {
    contract = new ContractCopy();
  });
  afterEach(() => contract.remove());

  const lint = () =>
    spawnSync(process.execPath, [...compiledProgram('scripts/lint.ts'), 'contract'], { cwd: contract.folder, encoding: 'utf8' });

  it('prints the problem without colors in a pipe, and does not recommend an ignore file', () => {
    contract.edit('paths/coupons.yaml', 'operationId: get_coupons', 'operationId: list_coupons');
    // Without the rules of Redocly, which validate every example.
    contract.edit('../redocly.yaml', /^extends: .*\n/m, '');
    const { status, stdout, stderr } = lint();
    expect(status).to.equal(1);
    expect(stdout).to.include('GET /coupons has the operationId `list_coupons`. Name it `get_coupons`');
    expect(stdout + stderr)
      .to.include('Validation failed with 1 error')
      .and.not.match(/ignore-file|Node\.js/)
      .and.not.include('\u001B');
  });

  it('fails while an ignore file silences the rules', () => {
    writeFileSync(path.join(contract.folder, '.redocly.lint-ignore.yaml'), '{}\n');
    const { status, stderr } = lint();
    expect(status).to.equal(1);
    expect(stderr).to.match(/^\.redocly\.lint-ignore\.yaml silences rules of the contract\. Delete it/);
  });

  const mistakes: [string, string | RegExp, string, string][] = [
    [
      'components/headers/X-Svc-Total.yaml',
      'required: true',
      'required: true: oops',
      '2:15  This is no YAML: bad indentation of a mapping entry.',
    ],
    [
      'components/schemas/Key.yaml',
      '  user: { $ref: ./User.yaml }',
      '  user { $ref: ./User.yaml }',
      '10:3  A colon is missing in "user { $ref".',
    ],
    ['components/schemas/Key.yaml', '{ $ref: ./User.yaml }', '{ $ref ./User.yaml }', '10:11  A colon is missing in "$ref ./User.yaml".'],
    ['paths/me.yaml', "'401': { $ref:", "'401': { $ref", '28:14  A colon is missing in "$ref ../components/responses/Unauthorized.yaml".'],
  ];
  for (const [at, [file, before, after, message]] of mistakes.entries()) {
    const itOnceInTests = at === 0 ? it : itInProof;
    itOnceInTests(`prints a mistake of YAML once, without its consequences: ${message}`, () => {
      contract.edit(file, before, after);
      contract.edit('paths/coupons.yaml', 'operationId: get_coupons', 'operationId: list_coupons');
      const { status, stdout, stderr } = lint();
      expect([status, stdout, stderr]).to.deep.equal([1, '', `openapi/${file}:${message}\n`]);
    });
  }

  it('prints a parse error of the root file as file, line, column and sentence alone', () => {
    contract.edit('openapi.yaml', 'title: Affiliate Program API', 'title: Affiliate Program API: oops');
    const { status, stdout, stderr } = lint();
    expect([status, stdout, stderr]).to.deep.equal([
      1,
      '',
      'openapi/openapi.yaml:3:31  This is no YAML: bad indentation of a mapping entry.\n',
    ]);
  });
});
