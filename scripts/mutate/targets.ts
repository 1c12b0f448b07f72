import { flag, list, parseNumber, parseOptions, text } from '../shared/options.ts';
import { UsageError } from '../shared/usage.ts';

/** A file to mutate, and the tests that must kill its mutants: fast ones first. */
export interface Target {
  file: string;
  tests: readonly string[];
}

const movements = ['test/domain/ledger-movements.test.ts', 'test/domain/commission.test.ts'];
const ledger = ['test/domain/ledger-sentences.test.ts', 'test/program/ledger-verify.test.ts'];
const payouts = [
  'test/program/payouts-steps.test.ts',
  'test/api/payouts-request.test.ts',
  'test/api/payouts-status.test.ts',
  'test/api/payouts-gateway.test.ts',
];
const payoutRequests = [
  'test/program/payouts-requested.test.ts',
  'test/api/payouts-idempotency.test.ts',
  'test/api/payouts-settled.test.ts',
  ...payouts,
];
const keys = ['test/domain/keys.test.ts', 'test/api/keys.test.ts'];
const webhookConnections = [
  'test/server/webhook-guard.test.ts',
  'test/server/webhook-names.test.ts',
  'test/server/webhook-tls.test.ts',
  'test/server/webhook-receivers.test.ts',
];

/** Paths are written out, so that a rename finds them. */
const testsByFile: Readonly<Record<string, readonly string[]>> = {
  'domain/money.ts': ['test/domain/money.test.ts', 'test/domain/commission.test.ts'],
  'domain/commission/commission-status.ts': movements,
  'domain/commission/commission.ts': movements,
  'domain/commission/upline.ts': [
    ...movements,
    'test/program/orders-multi-level.test.ts',
    'test/program/upline.test.ts',
    'test/program/orders-clearing.test.ts',
  ],
  'domain/ledger/order-movements.ts': movements,
  'domain/ledger/verify.ts': ledger,
  'domain/ledger/sentences.ts': ledger,
  'domain/payouts/eligibility.ts': ['test/domain/payout-rules.test.ts', ...payouts],
  'domain/payouts/payout.ts': ['test/domain/payout-rules.test.ts'],
  'domain/payouts/apply-transition.ts': payouts,
  'domain/payouts/create.ts': payouts,
  'domain/payouts/request.ts': payoutRequests,
  'domain/payouts/gateway-payment.ts': payoutRequests,
  'domain/payouts/change.ts': ['test/domain/payout-rules.test.ts', ...payouts],
  'domain/idempotency/replay.ts': ['test/program/payouts-steps.test.ts'],
  'domain/keys/key.ts': keys,
  'domain/keys/manage.ts': keys,
  'server/auth/credentials.ts': ['test/server/credentials.test.ts'],
  'server/auth/authorise.ts': ['test/server/authorise.test.ts'],
  'server/auth/lockout.ts': ['test/server/lockout.test.ts'],
  'server/auth/authenticate.ts': ['test/server/authenticate.test.ts'],
  'server/auth/authenticator.ts': [
    'test/server/authenticator.test.ts',
    'test/api/me.test.ts',
    'test/api/keys.test.ts',
    'test/api/session.test.ts',
  ],
  'server/auth/last-used.ts': ['test/server/authenticator.test.ts', 'test/server/last-used.test.ts'],
  'domain/master-key/secrets.ts': ['test/domain/secrets.test.ts'],
  'domain/webhooks/signature.ts': ['test/domain/webhook-signature.test.ts'],
  'domain/webhooks/address-ranges.ts': ['test/domain/public-address.test.ts', 'test/server/trusted-proxies.test.ts'],
  'domain/webhooks/url-rules.ts': ['test/domain/webhook-url-rules.test.ts', 'test/domain/public-address.test.ts'],
  'server/webhooks/send.ts': webhookConnections,
  'server/webhooks/resolve.ts': webhookConnections,
  'server/webhooks/connect.ts': webhookConnections,
  'server/limits/rate-limit.ts': ['test/server/rate-limit.test.ts'],
  'server/http/trusted-proxies.ts': ['test/server/trusted-proxies.test.ts'],
  'server/contract/validate.ts': [
    'test/contract/storable.test.ts',
    'test/contract/validate.test.ts',
    'test/contract/validate-bodies.test.ts',
  ],
};

/** Money first, then access, then what guards against strangers. */
export const targets: readonly Target[] = Object.entries(testsByFile).map(([file, tests]) => ({ file, tests }));

export interface MutateOptions {
  targets: readonly Target[];
  jobs: number;
  json: boolean;
}

export const help = `npm run mutate                        changes money, auth and guard code in small ways; a test should fail each time
npm run mutate -- --file domain/money.ts --file server/auth

  --file <path>       only this file, or the files of this folder; may be repeated
  --jobs <n>          files at a time, 1 by default
  --json              one JSON document on standard output, nothing else
  --help              this page
Survivors that are right are listed with a reason in scripts/mutate/accepted.json. Exits with 1 when any other mutant survives.`;

function targetsAt(path: string): readonly Target[] {
  const found = targets.filter(({ file }) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
  if (found.length > 0) return found;
  throw new UsageError(`${path} is not mutated. These files are:\n${targets.map(({ file }) => `  ${file}`).join('\n')}`);
}

export function optionsFrom(args: string[]): MutateOptions | 'help' {
  const { values } = parseOptions({ args, options: { file: list, jobs: text, json: flag, help: flag } });
  if (values.help) return 'help';
  return {
    targets: values.file ? [...new Set(values.file.flatMap(targetsAt))] : targets,
    jobs: parseNumber('jobs', values.jobs, 1, { min: 1, max: 99, isWhole: true }),
    json: values.json ?? false,
  };
}
