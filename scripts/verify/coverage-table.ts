/** What c8 counted in one file. */
export interface Counts {
  lines: Count;
  branches: Count;
  functions: Count;
}

interface Count {
  total: number;
  covered: number;
}

/** Where a gap would cost money, or let somebody in, first; then the rooms as a whole. */
const groups: readonly [name: string, paths: RegExp][] = [
  ['money: amounts, commission, ledger', /^domain\/(money\.ts|commission\/|ledger\/)/],
  ['payouts and idempotency', /^domain\/(payouts|payout-details|idempotency)\//],
  ['keys, passwords, sessions, secrets', /^domain\/(keys\/|users\/|sessions\/|secrets\.ts|caller\.ts)/],
  ['server/auth', /^server\/auth\//],
  ['guards: webhook addresses and signatures', /^(server\/webhooks\/|domain\/webhooks\/(signature|public-address|url-rules)\.ts)/],
  [
    'guards: limits, origin, what is read',
    /^server\/(limits|origin|cors|shedding|at-once|contract\/(storable|body|coerce|validate|read-request))\.ts/,
  ],
  ...['domain', 'site', 'db', 'handlers', 'server', 'scripts'].map((room): [string, RegExp] => [
    `all of ${room}/`,
    new RegExp(`^${room}/`),
  ]),
];

const share = ({ total, covered }: Count): string => (total === 0 ? '–' : `${((100 * covered) / total).toFixed(1)} %`);

const sumOf = (counts: readonly Count[]): Count => ({
  total: counts.reduce((sum, { total }) => sum + total, 0),
  covered: counts.reduce((sum, { covered }) => sum + covered, 0),
});

/** The file with the most lines that nothing comes by. */
function worstOf(files: readonly [string, Counts][]): string {
  const missing = ({ lines }: Counts): number => lines.total - lines.covered;
  const [worst] = files.toSorted(([, one], [, other]) => missing(other) - missing(one));
  return worst && missing(worst[1]) > 0 ? `${worst[0]} (${missing(worst[1])} lines)` : '';
}

/** The counts of files, by their paths from the root, as one short table. */
export function tableOf(counts: ReadonlyMap<string, Counts>): string {
  const rows = groups.map(([name, paths]) => {
    const files = [...counts].filter(([file]) => paths.test(file));
    const of = (kind: keyof Counts): string => share(sumOf(files.map(([, count]) => count[kind])));
    return [name, String(files.length), of('lines'), of('branches'), of('functions'), worstOf(files)];
  });
  const head = ['what', 'files', 'lines', 'branches', 'functions', 'most is missing in'];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => (column === 0 || column === 5 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line).join('\n');
}
