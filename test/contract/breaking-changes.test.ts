import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { ContractCopy } from '../support/contract-copy.ts';

function breakingChanges(edit: (contract: ContractCopy) => void): { ok: boolean; said: string } {
  const contract = new ContractCopy();
  try {
    edit(contract);
    const run = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/breaking-changes.ts'], { cwd: contract.folder, encoding: 'utf8' });
    return { ok: run.status === 0, said: run.stdout + run.stderr };
  } finally {
    contract.remove();
  }
}

describe('a change of the contract that breaks clients', () => {
  const cases = [
    {
      what: 'a new required field of a request',
      edit: (contract: ContractCopy) =>
        contract.edit(
          'components/schemas/PayoutRequest.yaml',
          /required: \[coupon_id\]\nproperties:\n/,
          'required: [coupon_id, note]\nproperties:\n  note: { type: string, maxLength: 9, description: n, examples: [n] }\n',
        ),
      says: /PayoutRequest\.yaml:\d+ .*note/,
    },
    {
      what: 'a field that an answer no longer has',
      edit: (contract: ContractCopy) => contract.edit('components/schemas/Order.yaml', /^ {2}campaign:.*\n/m, ''),
      says: /campaign/,
    },
    {
      what: 'a parameter that is gone',
      edit: (contract: ContractCopy) => contract.edit('paths/affiliates.yaml', /^.*parameters\/Search\.yaml\n/m, ''),
      says: /search/,
    },
    {
      what: 'an operation that is gone',
      edit: (contract: ContractCopy) => contract.edit('openapi.yaml', /^ {2}\/events:.*\n/m, ''),
      says: /events/,
    },
  ];

  for (const { what, edit, says } of cases)
    it(`is refused, with the line: ${what}`, () => {
      const { ok, said } = breakingChanges(edit);
      expect(ok, said).to.equal(false);
      expect(said)
        .to.match(says)
        .and.match(/\.(yaml|json):\d+ /)
        .and.include('make a new major version');
    });

  it('is allowed in a new major version', () => {
    const { ok, said } = breakingChanges((contract) => {
      contract.edit('paths/affiliates.yaml', /^.*parameters\/Search\.yaml\n/m, '');
      contract.edit('openapi.yaml', 'version: 2.0.0', 'version: 3.0.0');
    });
    expect(ok, said).to.equal(true);
  });
});

describe('a change of the contract that breaks nobody', () => {
  it('passes: a new optional parameter', () => {
    const { ok, said } = breakingChanges((contract) =>
      contract.edit('paths/webhooks.yaml', '  parameters:\n', '  parameters:\n    - $ref: ../components/parameters/Search.yaml\n'),
    );
    expect(ok, said).to.equal(true);
  });

  it('passes: a new field of an answer', () => {
    const { ok, said } = breakingChanges((contract) => {
      contract.edit(
        'components/schemas/Order.yaml',
        'properties:\n',
        'properties:\n  note: { type: string, description: n, examples: [n] }\n',
      );
      contract.edit('components/schemas/Order.yaml', 'credited_via, campaign]', 'credited_via, campaign, note]');
    });
    expect(ok, said).to.equal(true);
  });
});
