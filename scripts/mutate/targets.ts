/** A file of code, and the tests that answer for it: fast ones first. */
export interface Subject {
  file: string;
  tests: readonly string[];
}

const movements = ['test/domain/ledger-movements.test.ts', 'test/domain/commission.test.ts'];
const orders = ['orders-multi-level', 'orders-upline', 'orders-clearing'].map((name) => `test/program/${name}.test.ts`);
const payouts = [
  'test/program/payouts-steps.test.ts',
  ...['request', 'status', 'gateway'].map((name) => `test/api/payouts-${name}.test.ts`),
];
const requests = [
  'test/program/payouts-requested.test.ts',
  ...['kept-answers', 'settled'].map((name) => `test/api/payouts-${name}.test.ts`),
];
const keys = ['test/domain/keys.test.ts', 'test/api/keys.test.ts'];
const callers = ['test/server/identify.test.ts', ...['me', 'keys', 'session'].map((name) => `test/api/${name}.test.ts`)];
const receivers = ['guard', 'names', 'tls', 'receivers'].map((name) => `test/server/webhook-${name}.test.ts`);
const addresses = ['test/domain/webhook-url-rules.test.ts', 'test/domain/public-address.test.ts'];

const among = (files: readonly string[], folder: string, tests: readonly string[]): Subject[] =>
  files.map((name) => ({ file: `${folder}/${name}.ts`, tests }));

/** Money first, then who may do what, then what keeps strangers out. */
export const subjects: readonly Subject[] = [
  { file: 'domain/money.ts', tests: ['test/domain/money.test.ts', 'test/domain/commission.test.ts'] },
  { file: 'domain/commission/commission.ts', tests: ['test/domain/commission.test.ts'] },
  ...among(['life', 'shares'], 'domain/commission', movements),
  { file: 'domain/commission/upline.ts', tests: [...movements, ...orders] },
  { file: 'domain/ledger/order-movements.ts', tests: movements },
  ...among(['verify', 'sentences'], 'domain/ledger', ['test/domain/ledger-sentences.test.ts', 'test/program/ledger-proofs.test.ts']),
  ...among(['rules', 'steps'], 'domain/payouts', ['test/domain/payout-rules.test.ts']),
  ...among(['take-step', 'standing', 'create', 'change'], 'domain/payouts', payouts),
  ...among(['request', 'accept'], 'domain/payouts', [...requests, ...payouts]),
  { file: 'domain/payouts/resolve.ts', tests: ['test/domain/payout-rules.test.ts', 'test/program/payouts-steps.test.ts'] },
  { file: 'domain/idempotency/replay.ts', tests: ['test/program/payouts-steps.test.ts'] },
  ...among(['key', 'token', 'create', 'revoke'], 'domain/keys', keys),
  ...among(['credentials', 'same-secret'], 'server/auth', ['test/server/credentials.test.ts']),
  { file: 'server/auth/authorise.ts', tests: ['test/server/authorise.test.ts'] },
  { file: 'server/auth/lockout.ts', tests: ['test/server/lockout.test.ts'] },
  { file: 'server/auth/authenticate.ts', tests: ['test/server/authenticate.test.ts', 'test/server/credentials.test.ts'] },
  { file: 'server/auth/identify.ts', tests: callers },
  {
    file: 'server/auth/key-last-used.ts',
    tests: ['identify', 'key-uses', 'key-uses-unnoted'].map((name) => `test/server/${name}.test.ts`),
  },
  { file: 'domain/secrets.ts', tests: ['test/domain/secrets.test.ts'] },
  { file: 'domain/webhooks/signature.ts', tests: ['test/domain/webhook-signature.test.ts'] },
  { file: 'domain/webhooks/public-address.ts', tests: ['test/domain/public-address.test.ts'] },
  { file: 'domain/webhooks/url-rules.ts', tests: addresses },
  ...among(['rules', 'resolve', 'connect'], 'server/webhooks', receivers),
  { file: 'server/limits/rate-limit.ts', tests: ['test/server/rate-limit.test.ts'] },
  { file: 'server/http/proxies.ts', tests: ['test/server/origin.test.ts'] },
  { file: 'server/contract/storable.ts', tests: ['test/contract/storable.test.ts'] },
];
