/** `npm run coverage`: the whole suite under c8, then a table by area. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { formatTable, numberColumn } from '../../cli/terminal/table.ts';

interface FileCoverage {
  lines: Count;
  branches: Count;
  functions: Count;
}

interface Count {
  total: number;
  covered: number;
}

/** Areas where a gap could cost money or give access, then whole folders. */
const areas: readonly [name: string, paths: RegExp][] = [
  ['money: amounts, commission, ledger', /^domain\/(money\.ts|commission\/|ledger\/)/],
  ['payouts and idempotency', /^domain\/(payouts|payout-details|idempotency)\//],
  ['keys, passwords, sessions, secrets', /^domain\/(keys\/|users\/|sessions\/|secrets\.ts|caller\.ts)/],
  ['authentication and authorisation', /^server\/auth\//],
  ['guards: webhook addresses and signatures', /^(server\/webhooks\/|domain\/webhooks\/(signature|public-address|url-rules)\.ts)/],
  ['guards: limits, CORS and proxies, request validation', /^server\/(limits|http|contract)\//],
  ...['domain', 'connectors', 'site', 'db', 'handlers', 'server', 'cli', 'scripts'].map((folder): [string, RegExp] => [
    `all of ${folder}/`,
    new RegExp(`^${folder}/`),
  ]),
];

const root = path.resolve(import.meta.dirname, '../..');
const [, , ...files] = process.argv;
// c8 passes a variable to child processes, so that they are counted too.
const args = ['c8', 'mocha', '--parallel', ...(files.length > 0 ? files : ['test/**/*.test.ts'])];
const { status } = spawnSync('npx', args, { cwd: root, stdio: 'inherit' });

/** c8 reports files without any code as uncovered. */
const hasOnlyTypes = (file: string): boolean =>
  ts.transpile(readFileSync(file, 'utf8'), { module: ts.ModuleKind.ESNext, removeComments: true }).trim() === 'export {};';

function readSummary(): [file: string, coverage: FileCoverage][] {
  const summary = JSON.parse(readFileSync(path.join(root, 'coverage/coverage-summary.json'), 'utf8')) as Record<string, FileCoverage>;
  return Object.entries(summary)
    .filter(([file, { lines }]) => file !== 'total' && (lines.covered > 0 || !hasOnlyTypes(file)))
    .map(([file, coverage]) => [path.relative(root, file).replaceAll(path.sep, '/'), coverage]);
}

function percentage(counts: readonly Count[]): string {
  const total = counts.reduce((sum, count) => sum + count.total, 0);
  const covered = counts.reduce((sum, count) => sum + count.covered, 0);
  return total === 0 ? '–' : `${((100 * covered) / total).toFixed(1)} %`;
}

/** The file with the most uncovered lines. */
function worstOf(inArea: readonly [string, FileCoverage][]): string {
  const missing = ({ lines }: FileCoverage): number => lines.total - lines.covered;
  const [worst] = inArea.toSorted(([, one], [, other]) => missing(other) - missing(one));
  return worst && missing(worst[1]) > 0 ? `${worst[0]} (${missing(worst[1])} lines)` : '';
}

const summary = readSummary();
const rows = areas.map(([name, paths]) => {
  const inArea = summary.filter(([file]) => paths.test(file));
  const share = (kind: keyof FileCoverage): string => percentage(inArea.map(([, coverage]) => coverage[kind]));
  return [name, String(inArea.length), share('lines'), share('branches'), share('functions'), worstOf(inArea)];
});
const columns = ['area', ...['files', 'lines', 'branches', 'functions'].map(numberColumn), 'most uncovered lines in'];
console.log(`\n${formatTable(columns, rows)}\n\nLine by line: coverage/index.html`);
process.exitCode = status ?? 1;
