import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { type CommandOutcome, expectCommandError, Machine, mapConcurrently } from './machine.ts';

interface ErrorCase {
  args: string;
  message: string | RegExp;
  input?: string;
  variables?: Record<string, string>;
}

const user = 'user create --email ada@example.com --login';
const key = 'key create --user ada --scopes';

const usageErrors: ErrorCase[] = [
  { args: 'kye list', message: "Unknown command 'kye'. Did you mean key?" },
  { args: 'key drop', message: "Unknown command 'drop'. affiliate key has create, list, revoke." },
  { args: 'payout list', message: "Unknown command 'list'. affiliate payout has file, batch, resolve." },
  { args: 'payout batch foo', message: "Unknown command 'foo'. affiliate payout batch has list, show, paid, cancel, file." },
  { args: 'key', message: 'The command is incomplete: affiliate key has create, list, revoke. See affiliate key --help.' },
  { args: 'help nonsense', message: "Unknown command 'nonsense'. affiliate --help lists them." },
  { args: 'help key crate', message: "Unknown command 'crate'. Did you mean create?" },
  { args: 'key help drop', message: "Unknown command 'drop'. affiliate key has create, list, revoke." },
  { args: 'kye --help', message: "Unknown command 'kye'. Did you mean key?" },
  { args: 'key crate -h', message: "Unknown command 'crate'. Did you mean create?" },
  { args: 'export orders', message: /'orders' is invalid.* Allowed choices are user, coupon, order,/ },
  { args: 'completion powershell', message: /Allowed choices are bash, zsh, fish\.$/m },
  { args: 'key list --jsno', message: "Unknown option '--jsno'. Did you mean --json?" },
  { args: 'serve --nothing', message: "Unknown option '--nothing'. affiliate serve --help lists them." },
  { args: 'key list extra', message: "Too many arguments for 'list'. Write affiliate key list; --help has examples." },
  {
    args: 'settings set store.name A Shop',
    message: "Too many arguments for 'set'. Write affiliate settings set <path> <json>; --help has examples.",
  },
  {
    args: 'settings set store.name',
    message: /^<json> is missing: the value as JSON; .* Write affiliate settings set <path> <json>; --help has examples\.$/m,
  },
  { args: 'export', message: /^<kind> is missing: .*\(user, coupon, .* Write affiliate export <kind>; --help has examples\.$/m },
  {
    args: 'user create --email ada@example.com',
    message:
      "Required option '--login <login>' not specified. Write affiliate user create --login <login> --email <address>; --help has examples.",
  },
  { args: 'payout resolve 1 --as', message: '--as <status> needs a value: the result (pending, created, paid, failed).' },
  { args: 'openapi --edition gold', message: /argument 'gold' is invalid\. Allowed choices are free, pro\./ },
];

const invalidValues: ErrorCase[] = [
  { args: `${user} ada%20l`, message: /^The login "ada%20l" is not allowed: use 1 to 60 letters/ },
  { args: `${user} ${'a'.repeat(61)}`, message: /is not allowed: use 1 to 60 letters/ },
  { args: 'user create --login ada --email ada', message: '"ada" is not an email address. Write it like ada@example.com.' },
  { args: 'user create --login ada --email ada,bob@example.com', message: /^"ada,bob@example\.com" is not an email address\./ },
  { args: `${user} ada --role owner`, message: /'owner' is invalid\. Allowed choices are administrator, manager, affiliate, customer\.$/m },
  { args: `${user} ada --display-name=`, message: /^The display name must be 1 to 250 characters/ },
  {
    args: `${user} ada --password-stdin`,
    message: /^The password must have at least 10 characters/,
    input: 'short\nsecond line\n',
  },
  { args: `${user} ada --password-stdin`, message: 'The password must have at least 10 characters.' },
  { args: `${user} ada --password-stdin`, message: /^The password is one of the most common ones\./, input: '1234567890\n' },
  { args: `${user} a-long-name --password-stdin`, message: /^The password must not be your login or /, input: 'A-Long-Name\n' },
  { args: `${user} ada --password`, message: /^There is no terminal to ask for the password\. .* with --password-stdin\.$/m },
  { args: `${user} ada --password --password-stdin`, message: /'--password' cannot be used with option '--password-stdin'/ },
  { args: `${key} read,admin`, message: 'There is no scope "admin". Name one or more of read,write,manage, separated by commas.' },
  { args: `${key} read --expires 2030-02-30`, message: '--expires is "2030-02-30". It must be a day that exists, as YYYY-MM-DD.' },
  { args: `${key} read --expires tomorrow`, message: /^--expires is "tomorrow"\./ },
  { args: `${key} read --description ${'d'.repeat(201)}`, message: 'The description has 201 characters. At most 200 are allowed.' },
  { args: 'key revoke svc_1', message: '"svc_1" is not the id of a key. affiliate key list shows them.' },
  { args: 'report --from 2026-02-30', message: '--from is "2026-02-30". It must be a day that exists, as YYYY-MM-DD.' },
  { args: 'report --top 51', message: '--top is "51". It must be a whole number from 1 to 50.' },
  { args: 'payout resolve last --as paid', message: /^"last" is not the id of a payout\. affiliate doctor lists / },
  {
    args: 'export order --out /no/such/folder/file',
    message: 'There is no folder /no/such/folder. Create it, or name a file in another one.',
  },
  { args: 'settings get nope', message: 'There is no setting "nope". affiliate settings list shows all.' },
  { args: 'settings get store.nmae', message: /^There is no setting "store\.nmae"\. Did you mean store\.name/ },
];

const rejectedChanges: ErrorCase[] = [
  { args: `${user} ADA`, message: 'A user with the login or email ADA exists already.' },
  { args: 'user create --login bob --email Ada@Example.com', message: 'A user with the login or email Ada@Example.com exists already.' },
  { args: 'user password bob', message: 'There is no user "bob". affiliate user list shows them.' },
  { args: 'user password ada', message: /^There is no terminal to ask for the password\./ },
  { args: 'user password ada --password-stdin', message: /^The password must not be your login or /, input: 'ADA@example.com\n' },
  { args: `key create --user bob --scopes read`, message: 'There is no user "bob". affiliate user list shows them.' },
  { args: `${key} read --expires 2020-01-01`, message: /^expires must not be before today, / },
  { args: 'key revoke 77', message: 'There is no key 77. affiliate key list shows them.' },
  { args: 'settings set switches.get_keys no', message: 'switches.get_keys cannot be "no". It must be true or false.' },
  { args: 'settings set payouts.auto_accept.gateway acme', message: 'There is no gateway "acme" on this site. There are manual, log.' },
  { args: 'settings unset no.such', message: /^There is no setting "no\.such"\./ },
  { args: 'report --from 2026-02-02 --to 2026-02-01', message: '--from is 2026-02-02, which is after 2026-02-01.' },
  { args: 'report --from 9999-01-01', message: /^--from is 9999-01-01, which is after today, \d{4}-\d\d-\d\d\.$/m },
  { args: 'backup /no/such/folder/copy', message: 'There is no folder /no/such/folder. Create it, or name a file in another one.' },
  { args: 'backup /', message: '/ is a folder. Name a file in it.' },
  { args: 'payout resolve 77 --as paid', message: /^There is no payout 77\. affiliate doctor lists / },
  { args: 'webhook replay 77', message: /^There is no such delivery.* affiliate webhook deliveries shows them\.$/m },
];

const titleOf = ({ args, input, variables = {} }: ErrorCase): string =>
  [
    ...Object.entries({ ...(input !== undefined && { input }), ...variables }).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
    args,
  ]
    .join(' ')
    .slice(0, 100);

describe('a command that only reads', () => {
  it('reports a missing database and does not create one', async () => {
    const machine = new Machine();
    const reading = ['report', 'ledger verify', 'export order', 'user list', 'key list', 'webhook list'];
    const commands = [...reading, 'settings list', 'settings get store.currency', 'explain order 1'];
    for (const outcome of await machine.runSeries(commands.map((args) => ({ args: args.split(' ') }))))
      expectCommandError(
        outcome,
        `There is no database at ${machine.dataDir}/affiliate.sqlite. Set DATA_DIR or DATABASE_URL, or run affiliate migrate to create one.`,
      );
    expect((await machine.json<{ openapi: string }>('openapi')).openapi, 'with the default settings').to.equal('3.1.0');
    expect(existsSync(machine.dataDir)).to.equal(false);
  });
});

onAnyEngine((engine) => {
  if (engine.name === 'postgres')
    it('a command that only reads creates no tables', async () => {
      const url = await engine.emptyUrl();
      const machine = new Machine({ DATABASE_URL: url });
      for (const outcome of await machine.runSeries([{ args: ['settings', 'list'] }, { args: ['report'] }]))
        expectCommandError(outcome, /^There is no database at DATABASE_URL: PostgreSQL has none of its tables\. Set/);
      const [row] = await (await engine.observe(url)).query<{ count: string }>(
        "select count(*) from pg_tables where schemaname = 'public'",
      );
      expect(Number(row?.count)).to.equal(0);
    });
});

describe('affiliate, with invalid input', () => {
  const machine = new Machine();
  const file = path.join(machine.folder, 'file');
  const environmentErrors: ErrorCase[] = [
    { args: 'key list', message: 'PORT is "http". It must be a whole number from 0 to 65535.', variables: { PORT: 'http' } },
    { args: 'serve', message: /^ENVIRONMENT is "test"\. It must be one of/, variables: { ENVIRONMENT: 'test' } },
    { args: 'key list', message: /^DATABASE_URL must start with/, variables: { DATABASE_URL: 'mysql://x/y' } },
    {
      args: 'migrate',
      message: /^\S+file is not a folder\. Set DATA_DIR or DATABASE_URL to another place\.$/m,
      variables: { DATABASE_URL: `sqlite:${file}/data.sqlite` },
    },
    // Node's recursive mkdir never returns there.
    ...(existsSync('/proc/self') ? ['migrate', 'serve', 'demo'] : []).map((args) => ({
      args,
      message: /^The folder \/proc\/none cannot be made: .*\. Set DATA_DIR or DATABASE_URL to another place\.$/m,
      variables: { DATA_DIR: '/proc/none', PORT: '0' },
    })),
    { args: 'migrate', message: /^\S+file is not a folder\./, variables: { DATA_DIR: path.join(file, 'data') } },
    { args: 'serve', message: /^Could not open .*DATABASE_URL .*DATA_DIR\.$/m, variables: { DATABASE_URL: `sqlite:${file}` } },
    { args: 'doctor extra', message: /^Too many arguments/ },
    {
      args: 'migrate',
      message: /^Could not connect to PostgreSQL: (?!.*hidden).*DATABASE_URL .*\n$/,
      variables: { DATABASE_URL: 'postgres://someone:hidden@127.0.0.1:1/affiliate' },
    },
  ];
  const withoutVariables = [...usageErrors, ...invalidValues, ...rejectedChanges];
  let outcomes: Map<ErrorCase, CommandOutcome>;

  before(async () => {
    writeFileSync(file, 'this is not a database');
    await machine.addUser('ada', 'customer');
    outcomes = await mapConcurrently(environmentErrors, ({ args, variables }) => machine.run(args.split(' '), variables));
    const series = await machine.runSeries(withoutVariables.map(({ args, input }) => ({ args: args.split(' '), input })));
    for (const [index, one] of withoutVariables.entries()) outcomes.set(one, series[index] as CommandOutcome);
  });

  for (const one of [...withoutVariables, ...environmentErrors])
    it(`reports "${titleOf(one)}" with one sentence and exit code 1`, () => {
      expectCommandError(outcomes.get(one) as CommandOutcome, one.message);
    });

  it('changes nothing', async () => {
    const { total, users } = await machine.inside((database) =>
      database.read(async ({ keys, users }) => ({
        ...(await keys.page({ today: '2020-01-01' }, { page: 1, perPage: 1 })),
        users: await users.byIds([1, 2, 3]),
      })),
    );
    expect([users.length, total]).to.deep.equal([1, 0]);
  });
});
