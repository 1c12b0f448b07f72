import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { ContractCopy } from '../support/contract-copy.ts';

function breakingChanges(edit: (contract: ContractCopy) => void): { ok: boolean; said: string } {
  const contract = new ContractCopy();
  try {
    edit(contract);
    const run = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/contract/breaking-changes.ts'], {
      cwd: contract.folder,
      encoding: 'utf8',
    });
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
      says: /^openapi\/components\/schemas\/PayoutRequest\.yaml:3 POST \/payouts › body › application\/json: .*`note`/m,
    },
    {
      what: 'a field that an answer no longer has',
      edit: (contract: ContractCopy) => contract.edit('components/schemas/Order.yaml', /^ {2}campaign:.*\n/m, ''),
      says: /^openapi\/components\/schemas\/Order\.yaml:\d+ \(was openapi\/released\.json:\d+\) GET \/coupons\/\{id\}\/orders › response 200 › .* › campaign: /m,
    },
    {
      what: 'a parameter that is gone',
      edit: (contract: ContractCopy) => contract.edit('paths/affiliates.yaml', /^.*parameters\/Search\.yaml\n/m, ''),
      says: /^openapi\/paths\/affiliates\.yaml:\d+ \(was openapi\/released\.json:\d+\) GET \/affiliates › parameter search: /m,
    },
    {
      what: 'a header that an answer no longer has',
      edit: (contract: ContractCopy) => contract.edit('paths/coupons.yaml', /^.*headers\/X-Svc-Total\.yaml.*\n/m, ''),
      says: /^openapi\/paths\/coupons\.yaml:\d+ \(was .*\) GET \/coupons › response 200 › headers › X-Svc-Total: /m,
    },
    {
      what: 'a value that a request may no longer have',
      edit: (contract: ContractCopy) => contract.edit('components/schemas/WebhookChange.yaml', '[active, disabled]', '[active]'),
      says: /^openapi\/components\/schemas\/WebhookChange\.yaml:\d+ PATCH \/webhooks\/\{id\} › body › .*status: Enum .*'disabled'/m,
    },
    {
      what: 'a scope that is raised',
      edit: (contract: ContractCopy) => contract.edit('paths/coupons.yaml', 'x-scope: read', 'x-scope: manage'),
      says: /^openapi\/paths\/coupons\.yaml:\d+ GET \/coupons › x-scope: Raised from read to manage\.$/m,
    },
    {
      what: 'an operation that is gone',
      edit: (contract: ContractCopy) => contract.edit('openapi.yaml', /^ {2}\/events:.*\n/m, ''),
      says: /^openapi\/openapi\.yaml:\d+ \(was openapi\/released\.json:\d+\) \/events: Path `\/events` was removed/m,
    },
  ];

  // All at once: none of them touches another's place, and a comparison takes seconds.
  let found: { ok: boolean; said: string };
  before(() => {
    found = breakingChanges((contract) => {
      for (const { edit } of cases) edit(contract);
    });
  });

  for (const { what, says } of cases)
    it(`is refused, with the line: ${what}`, () => {
      const { ok, said } = found;
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
  it('passes: a new optional parameter, a new field of an answer, and a new value there, which clients must tolerate', () => {
    const { ok, said } = breakingChanges((contract) => {
      contract.edit('paths/webhooks.yaml', '  parameters:\n', '  parameters:\n    - $ref: ../components/parameters/Search.yaml\n');
      contract.edit('components/schemas/EventKind.yaml', '  - referral\n', '  - referral\n  - coupon_created\n');
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

describe('a contract that cannot be read', () => {
  it('is told by its file and line, and not as an operation that is gone', () => {
    const { ok, said } = breakingChanges((contract) => contract.edit('paths/me.yaml', 'operationId: get_me', 'operationId: get_me: oops'));
    expect(ok).to.equal(false);
    expect(said)
      .to.include('Failed to parse')
      .and.match(/openapi\/paths\/me\.yaml:2:\d+/)
      .and.not.match(/removed|break clients|at .*\.ts/);
  });
});
