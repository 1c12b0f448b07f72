/** `npm run prove`: the long versions of what `npm test` checks for some seconds. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { formatTable } from '../../cli/terminal/table.ts';
import { checkNames, flag, parseOptions } from '../shared/options.ts';
import { runCommand } from '../shared/usage.ts';

interface LongCheck {
  name: string;
  description: string;
  /** Arguments of node. */
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

const mocha = (...files: string[]): string[] => ['node_modules/mocha/bin/mocha.js', ...files];
/** Those in which `npm test` leaves one engine out. */
function testsOnOneEngine(): string[] {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => path.join('test', file));
  return files.filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes('mainlyOn('));
}

const script = (file: string, ...args: string[]): string[] => ['--import', 'tsx', file, ...args];

/** Of every check: `mainlyOn` of the tests. */
const onBothEngines = { PROVE_ENGINES: 'all' };

/** The variables are described at the top of the tests that read them. */
const checks: readonly LongCheck[] = [
  {
    name: 'fuzz',
    description: 'requests from the contract, valid and mutated, as every caller, on both engines',
    args: script('scripts/fuzz.ts', '--runs', '1000'),
  },
  {
    name: 'store-fuzz',
    description: 'mutated webhooks of shops and of billing platforms, signed and not, on both engines',
    args: mocha('test/fuzz/store-payloads.test.ts', 'test/fuzz/payment-payloads.test.ts'),
    env: { PROVE_PAYLOADS: '3000' },
  },
  {
    name: 'answer-times',
    description: 'the time of an answer does not tell whether there is an account, on both engines',
    args: mocha('test/pages/answer-times.test.ts'),
    env: { PROVE_TIMES: 'all' },
  },
  {
    name: 'models',
    description: 'sequences of payouts, gateways, orders and pulls against a model, on both engines',
    args: mocha('test/faults/payouts-properties.test.ts', 'test/faults/payouts-race.test.ts', 'test/api/store-pull.test.ts'),
    env: { PROVE_RUNS: '1000', PROVE_RACES: 'all' },
  },
  {
    name: 'money',
    description: 'programs of orders, payouts, hand-overs and erasures against a model in integers, on both engines',
    args: mocha('test/program/money.test.ts'),
    env: { PROVE_MONEY: '200' },
  },
  {
    name: 'orders',
    description: 'sequences of orders, repeated, one by one and in batches, on both engines',
    args: mocha('test/program/orders-properties.test.ts'),
    env: { PROVE_ORDERS: '100' },
  },
  {
    name: 'contract',
    description: 'requests validated as openapi-backend does, the rules for the document without each operation, lint, generate and mock',
    args: mocha(
      'test/contract/breaking-changes.test.ts',
      'test/contract/edits.test.ts',
      'test/contract/equals-library.test.ts',
      'test/contract/generate.test.ts',
      'test/contract/lint-command.test.ts',
      'test/contract/lint.test.ts',
      'test/contract/mock.test.ts',
      'test/site/document-lint.test.ts',
      'test/site/document-words.test.ts',
    ),
    env: { PROVE_REQUESTS: '500', PROVE_DOCUMENTS: 'all' },
  },
  {
    name: 'explanations',
    description:
      'the commission of generated orders recomputed from amounts and rates, in currencies of 0, 2 and 3 decimals, on both engines',
    args: mocha('test/program/explanation-properties.test.ts'),
    env: { PROVE_EXPLANATIONS: '200' },
  },
  {
    name: 'tools',
    description: 'the verdicts of tools and of HTTP for every role, set of scopes and site, on both engines',
    args: mocha('test/agents/access.test.ts'),
    env: { PROVE_TOOLS: 'all' },
  },
  {
    name: 'risk',
    description: 'ordinary scans against full ones after any changes, and a year without false alarms on both engines',
    args: mocha('test/risk/incremental.test.ts', 'test/risk/quiet-year.test.ts'),
    env: { PROVE_RISK: '200' },
  },
  {
    name: 'streams',
    description: 'two minutes of 10,000 events a minute, streamed to readers that lose their connections, on both engines',
    args: mocha('test/api/events-stream*.test.ts'),
    env: { PROVE_STREAMS: 'all' },
  },
  {
    name: 'kills',
    description: 'SIGKILL of service, gateway calls and worker under load, and a stop after clients that disconnect, on both engines',
    args: mocha('test/faults/*-killed.test.ts', 'test/faults/clients-gone.test.ts'),
    env: { PROVE_KILLS: '40', PROVE_STOPS: '8', PROVE_MIGRATIONS: '20', PROVE_DELIVERIES: '2000' },
  },
  {
    name: 'faults',
    description: 'PostgreSQL stopped and cut off under load, disks full, files corrupt, clocks set',
    args: mocha('test/faults/postgres-outage.test.ts', 'test/faults/sqlite-*.test.ts', 'test/faults/clock-set.test.ts'),
    env: { PROVE_OUTAGES: '10' },
  },
  {
    name: 'nodes',
    description: 'several processes on one PostgreSQL, and none of 20,000 mixed writes refused',
    args: mocha('test/nodes/*.test.ts'),
    env: { PROVE_NODES: '1', PROVE_WRITES: '20000' },
  },
  {
    name: 'engines',
    description: 'on both engines what npm test checks on one: accounts, access, demo, risk, load and others',
    args: mocha(...testsOnOneEngine()),
  },
  {
    name: 'dev',
    description:
      'npm run dev from its start to Ctrl-C, with errors in the contract and in code, edits of the tables, and changed rules of redocly.yaml',
    args: mocha('test/dev/loop.test.ts'),
    env: { PROVE_DEV: 'all' },
  },
  {
    name: 'guides',
    description:
      'the guides that take longer, followed as written: change the contract, write a client, extend a site, connect a store, pay, move a program, run it in production',
    args: mocha('test/guides/commands.test.ts', 'test/guides/change-the-contract.test.ts'),
    env: { PROVE_GUIDES: 'all' },
  },
  {
    name: 'packages',
    description: 'the packages of the service and of the client: what they hold, and that they run with their dependencies alone',
    args: mocha('test/packaging/pack.test.ts', 'test/client/package.test.ts'),
    env: { PROVE_PACKAGES: 'all' },
  },
  {
    name: 'workflows',
    description: 'the stories of openapi/workflows on both engines',
    args: mocha('test/workflows/workflows.test.ts'),
    env: { PROVE_WORKFLOWS: 'all' },
  },
  {
    name: 'attacks',
    description: 'the OWASP API Security Top 10, and the cost of the largest requests at every address',
    args: mocha('test/attacks/*.test.ts'),
    env: { PROVE_BOUNDS: 'all' },
  },
  {
    name: 'load-sqlite',
    description: '90 % reads and 10 % writes for minutes, then overload, on SQLite',
    args: script('scripts/load.ts', '--engine', 'sqlite', '--minutes', '3'),
  },
  {
    name: 'load-postgres',
    description: 'the same on PostgreSQL',
    args: script('scripts/load.ts', '--engine', 'postgres', '--minutes', '3'),
  },
];

const help = `npm run prove                  every long check: over an hour on two cores
npm run prove -- kills nodes   only these
npm run prove -- --list        the names
PROVE_KILLS=200 npm run prove -- kills   how often: each variable is described at the top of its tests`;

interface Options {
  chosen: readonly LongCheck[];
  onlyLists: boolean;
}

function readOptions(): Options | 'help' {
  const { values, positionals } = parseOptions({ allowPositionals: true, options: { list: flag, help: flag } });
  if (values.help) return 'help';
  const all = checks.map(({ name }) => name);
  const names = checkNames('check', positionals.length > 0 ? positionals : all, all);
  return { chosen: checks.filter(({ name }) => names.includes(name)), onlyLists: values.list ?? false };
}

interface CheckResult {
  name: string;
  passed: boolean;
  minutes: string;
  lastLine: string;
}

const logFolder = 'data/prove';
const progressIntervalMs = 60_000;

/** The output is written to a file; every minute a line shows that it is still running. */
async function runCheck({ name, description, args, env }: LongCheck): Promise<CheckResult> {
  const logFile = path.join(logFolder, `${name}.log`);
  const started = performance.now();
  const minutes = (digits: number): string => ((performance.now() - started) / 60_000).toFixed(digits);
  console.log(`${name}: ${description}`);
  const timer = setInterval(() => console.log(`  … ${minutes(0)} min, see ${logFile}`), progressIntervalMs);
  const { code, lastLine } = await runLogged(args, env, logFile);
  clearInterval(timer);
  console.log(`  ${code === 0 ? 'passed' : `FAILED, see ${logFile}`}: ${lastLine}`);
  return { name, passed: code === 0, minutes: minutes(1), lastLine };
}

async function runLogged(
  args: readonly string[],
  env: LongCheck['env'],
  logFile: string,
): Promise<{ code: number | null; lastLine: string }> {
  mkdirSync(logFolder, { recursive: true });
  const log = createWriteStream(logFile);
  const child = spawn(process.execPath, args, { env: { ...onBothEngines, ...env, ...process.env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let tail = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      log.write(chunk);
      tail = (tail + chunk.toString()).slice(-2000);
    });
  const [code] = (await once(child, 'close')) as [number | null];
  await new Promise<void>((resolve) => log.end(resolve));
  const lastLine = tail.split('\n').findLast((line) => line.trim() !== '') ?? '';
  return { code, lastLine };
}

async function run({ chosen, onlyLists }: Options): Promise<void> {
  if (onlyLists) return console.log(chosen.map(({ name, description }) => `${name.padEnd(14)} ${description}`).join('\n'));
  const results: CheckResult[] = [];
  for (const check of chosen) results.push(await runCheck(check));
  const failed = results.filter(({ passed }) => !passed).length;
  const rows = results.map(({ name, passed, minutes, lastLine }) => [name, passed ? 'yes' : 'NO', minutes, lastLine]);
  console.log(`\n${formatTable(['check', 'passed', 'minutes', 'last line'], rows)}\n\n${results.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

await runCommand(help, readOptions, run);
