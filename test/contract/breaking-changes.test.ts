import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { compiledProgram } from '../cli/compiled-command.ts';
import { ContractCopy } from '../support/contract-copy.ts';
import { inProof } from '../support/in-proof.ts';

// PROVE_DOCUMENTS=all: also a new major version. Each comparison takes eight seconds.
const { itInProof } = inProof('PROVE_DOCUMENTS');

function findBreakingChanges(edit: (contract: ContractCopy) => void): { ok: boolean; output: string } {
  const contract = new ContractCopy();
  try {
    edit(contract);
    const run = spawnSync(process.execPath, compiledProgram('scripts/contract/breaking-changes.ts'), {
      cwd: contract.folder,
      encoding: 'utf8',
    });
    return { ok: run.status === 0, output: run.stdout + run.stderr };
  } finally {
    contract.remove();
  }
}

/** An optional parameter, a field of a response, and an enum value of a response. */
function extend(contract: ContractCopy): void {
  contract.edit('paths/webhooks.yaml', '  parameters:\n', '  parameters:\n    - $ref: ../components/parameters/Search.yaml\n');
  contract.edit('components/schemas/EventKind.yaml', '  - referral\n', '  - referral\n  - coupon_created\n');
  contract.edit(
    'components/schemas/Payout.yaml',
    'properties:\n',
    'properties:\n  note: { type: string, description: n, examples: [n] }\n',
  );
  contract.edit('components/schemas/Payout.yaml', 'date_paid]', 'date_paid, note]');
}

describe('a breaking change of the contract', () => {
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
      what: 'a removed field of a response',
      edit: (contract: ContractCopy) => contract.edit('components/schemas/Order.yaml', /^ {2}campaign:.*\n/m, ''),
      says: /^openapi\/components\/schemas\/Order\.yaml:\d+ \(was openapi\/released\.json:\d+\) GET \/coupons\/\{id\}\/orders › response 200 › .* › campaign: /m,
    },
    {
      what: 'a removed parameter',
      edit: (contract: ContractCopy) => contract.edit('paths/affiliates.yaml', /^.*parameters\/Search\.yaml\n/m, ''),
      says: /^openapi\/paths\/affiliates\.yaml:\d+ \(was openapi\/released\.json:\d+\) GET \/affiliates › parameter search: /m,
    },
    {
      what: 'a removed header of a response',
      edit: (contract: ContractCopy) => contract.edit('paths/coupons.yaml', /^.*headers\/X-Svc-Total\.yaml.*\n/m, ''),
      // Redocly calls it renamed where another header was added since the release.
      says: /^openapi\/paths\/coupons\.yaml:\d+ .*GET \/coupons › response 200 › headers › .*`X-Svc-Total` was re(moved|named)/m,
    },
    {
      what: 'a removed enum value of a request',
      edit: (contract: ContractCopy) => contract.edit('components/schemas/WebhookChange.yaml', '[active, disabled]', '[active]'),
      says: /^openapi\/components\/schemas\/WebhookChange\.yaml:\d+ PATCH \/webhooks\/\{id\} › body › .*status: Enum .*'disabled'/m,
    },
    {
      what: 'a raised scope',
      edit: (contract: ContractCopy) => contract.edit('paths/coupons.yaml', 'x-scope: read', 'x-scope: manage'),
      says: /^openapi\/paths\/coupons\.yaml:\d+ GET \/coupons › x-scope: Raised from read to manage\.$/m,
    },
    {
      what: 'a removed operation',
      edit: (contract: ContractCopy) => contract.edit('openapi.yaml', /^ {2}\/reports\/summary:.*\n/m, ''),
      says: /^openapi\/openapi\.yaml:\d+ \(was openapi\/released\.json:\d+\) \/reports\/summary: Path `\/reports\/summary` was removed/m,
    },
  ];

  // All in one comparison, which takes seconds: the edits do not affect each other.
  let found: { ok: boolean; output: string };
  before(() => {
    found = findBreakingChanges((contract) => {
      for (const { edit } of cases) edit(contract);
      extend(contract);
    });
  });

  for (const { what, says } of cases)
    it(`is refused with its line: ${what}`, () => {
      const { ok, output } = found;
      expect(ok, output).to.equal(false);
      expect(output)
        .to.match(says)
        .and.match(/\.(yaml|json):\d+ /)
        .and.include('make a new major version');
    });

  it('is listed without the compatible ones beside it: a parameter, a field of a response, and an enum value of a response', () => {
    expect(found.output).not.to.match(/\/webhooks › |EventKind|coupon_created|schemas\/Payout\.yaml/);
  });

  itInProof('is none of these alone: they pass', () => {
    const { ok, output } = findBreakingChanges(extend);
    expect(ok, output).to.equal(true);
  });

  itInProof('is allowed in a new major version', () => {
    const { ok, output } = findBreakingChanges((contract) => {
      contract.edit('paths/affiliates.yaml', /^.*parameters\/Search\.yaml\n/m, '');
      contract.edit('openapi.yaml', 'version: 2.0.0', 'version: 3.0.0');
    });
    expect(ok, output).to.equal(true);
  });
});

describe('the search for breaking changes in a contract that cannot be parsed', () => {
  it('reports file and line of the error, and no removed operation', () => {
    const { ok, output } = findBreakingChanges((contract) =>
      contract.edit('paths/me.yaml', 'operationId: get_me', 'operationId: get_me: oops'),
    );
    expect(ok).to.equal(false);
    expect(output)
      .to.include('This is no YAML')
      .and.match(/openapi\/paths\/me\.yaml:2:\d+/)
      .and.not.match(/removed|break clients|at .*\.ts/);
  });
});
