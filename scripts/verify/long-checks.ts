/** One of the long proofs: what `npm test` does for some seconds, at full length. */
export interface Proof {
  name: string;
  what: string;
  /** Of node, from the project's folder. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

const mocha = (...files: string[]): string[] => ['node_modules/mocha/bin/mocha.js', ...files];
const script = (file: string, ...args: string[]): string[] => ['--import', 'tsx', file, ...args];

/** What each number means is said at the top of the tests that read it. */
export const proofs: readonly Proof[] = [
  {
    name: 'fuzz',
    what: 'requests from the contract, valid and mutated, as every caller, on both engines',
    args: script('scripts/fuzz.ts', '--runs', '1000'),
    env: {},
  },
  {
    name: 'models',
    what: 'sequences of payouts, gateways and orders against a model, on both engines',
    args: mocha('test/faults/payouts-properties.test.ts', 'test/faults/payouts-race.test.ts'),
    env: { PROVE_RUNS: '1000' },
  },
  {
    name: 'kills',
    what: 'SIGKILL of service, gateway calls and worker under load, on both engines',
    args: mocha('test/faults/*-killed.test.ts'),
    env: { PROVE_KILLS: '40', PROVE_MIGRATIONS: '20' },
  },
  {
    name: 'faults',
    what: 'PostgreSQL stopped and cut off under load, disks full, files corrupt, clocks set',
    args: mocha('test/faults/postgres-outage.test.ts', 'test/faults/sqlite-*.test.ts', 'test/faults/clock-set.test.ts'),
    env: { PROVE_OUTAGES: '10' },
  },
  {
    name: 'nodes',
    what: 'several processes on one PostgreSQL',
    args: mocha('test/nodes/*.test.ts', 'test/api/several-processes.test.ts'),
    env: { PROVE_NODES: '1' },
  },
  {
    name: 'upgrades',
    what: 'from every migration to the newest, and restored backups, on both engines',
    args: mocha('test/operations/upgrade.test.ts', 'test/operations/backup-restore.test.ts'),
    env: { PROVE_UPGRADES: 'all' },
  },
  { name: 'attacks', what: 'the OWASP API Security Top 10', args: mocha('test/attacks/*.test.ts'), env: {} },
  {
    name: 'load-sqlite',
    what: '90 % reads and 10 % writes for minutes, then four times too much, on SQLite',
    args: script('scripts/load.ts', '--engine', 'sqlite', '--minutes', '3'),
    env: {},
  },
  {
    name: 'load-postgres',
    what: 'the same on PostgreSQL',
    args: script('scripts/load.ts', '--engine', 'postgres', '--minutes', '3'),
    env: {},
  },
];
