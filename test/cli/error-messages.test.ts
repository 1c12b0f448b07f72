import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { type CommandOutcome, expectCommandError, Machine, mapConcurrently } from './machine.ts';

interface Refused {
  args: string;
  says: string | RegExp;
  variables?: Record<string, string>;
}

const user = 'user create --email ada@example.com --login';
const key = 'key create --user ada --scopes';

const words: Refused[] = [
  { args: 'kye list', says: "Unknown command 'kye'. Did you mean key?" },
  { args: 'key drop', says: "Unknown command 'drop'. affiliate key has create, list, revoke." },
  { args: 'payout list', says: "Unknown command 'list'. affiliate payout has resolve." },
  { args: 'key', says: 'The command is incomplete: affiliate key has create, list, revoke. See affiliate key --help.' },
  { args: 'help nonsense', says: "Unknown command 'nonsense'. affiliate --help lists them." },
  { args: 'help key crate', says: "Unknown command 'crate'. Did you mean create?" },
  { args: 'key help drop', says: "Unknown command 'drop'. affiliate key has create, list, revoke." },
  { args: 'kye --help', says: "Unknown command 'kye'. Did you mean key?" },
  { args: 'key crate -h', says: "Unknown command 'crate'. Did you mean create?" },
  { args: 'export orders', says: /'orders' is invalid.* Allowed choices are user, coupon, order,/ },
  { args: 'completion powershell', says: /Allowed choices are bash, zsh, fish\.$/m },
  { args: 'key list --jsno', says: "Unknown option '--jsno'. Did you mean --json?" },
  { args: 'serve --nothing', says: "Unknown option '--nothing'. affiliate serve --help lists them." },
  { args: 'key list extra', says: "Too many arguments for 'list'. Write affiliate key list; --help has examples." },
  {
    args: 'settings set store.name A Shop',
    says: "Too many arguments for 'set'. Write affiliate settings set <path> <json>; --help has examples.",
  },
  {
    args: 'settings set store.name',
    says: /^<json> is missing: the value as JSON; .* Write affiliate settings set <path> <json>; --help has examples\.$/m,
  },
  { args: 'export', says: /^<kind> is missing: .*\(user, coupon, .* Write affiliate export <kind>; --help has examples\.$/m },
  {
    args: 'user create --email ada@example.com',
    says: "Required option '--login <login>' not specified. Write affiliate user create --login <login> --email <address>; --help has examples.",
  },
  { args: 'payout resolve 1 --as', says: '--as <status> needs a value: the result (pending, created, paid).' },
  { args: 'openapi --edition gold', says: /argument 'gold' is invalid\. Allowed choices are free, pro\./ },
];

const values: Refused[] = [
  { args: `${user} ada%20l`, says: /^The login "ada%20l" is not allowed: use 1 to 60 letters/ },
  { args: `${user} ${'a'.repeat(61)}`, says: /is not allowed: use 1 to 60 letters/ },
  { args: 'user create --login ada --email ada', says: '"ada" is not an email address. Write it like ada@example.com.' },
  { args: 'user create --login ada --email ada,bob@example.com', says: /^"ada,bob@example\.com" is not an email address\./ },
  { args: `${user} ada --role owner`, says: /'owner' is invalid\. Allowed choices are administrator, manager, affiliate, customer\.$/m },
  { args: `${user} ada --display-name=`, says: /^The display name must be 1 to 250 characters/ },
  {
    args: `${user} ada --password-stdin`,
    says: /^The password must have at least 8 characters/,
    variables: { input: 'short\nsecond line\n' },
  },
  { args: `${user} ada --password-stdin`, says: /^The password must have at least 8 characters/ },
  { args: `${key} read,admin`, says: 'There is no scope "admin". Name one or more of read,write,manage, separated by commas.' },
  { args: `${key} read --expires 2030-02-30`, says: '--expires is "2030-02-30". It must be a day that exists, as YYYY-MM-DD.' },
  { args: `${key} read --expires tomorrow`, says: /^--expires is "tomorrow"\./ },
  { args: `${key} read --description ${'d'.repeat(201)}`, says: 'The description has 201 characters. At most 200 are allowed.' },
  { args: 'key revoke svc_1', says: '"svc_1" is not the id of a key. affiliate key list shows them.' },
  { args: 'report --from 2026-02-30', says: '--from is "2026-02-30". It must be a day that exists, as YYYY-MM-DD.' },
  { args: 'report --top 51', says: '--top is "51". It must be a whole number from 1 to 50.' },
  { args: 'payout resolve last --as paid', says: /^"last" is not the id of a payout\. affiliate doctor lists / },
  {
    args: 'export order --out /no/such/folder/file',
    says: 'There is no folder /no/such/folder. Create it, or name a file in another one.',
  },
  { args: 'settings get nope', says: /^There is no setting "nope"\. Did you mean / },
  { args: 'settings get store.nmae', says: /^There is no setting "store\.nmae"\. Did you mean store\.name/ },
];

const known: Refused[] = [
  { args: `${user} ADA`, says: 'A user with the login ADA exists already.' },
  { args: 'user create --login bob --email Ada@Example.com', says: 'A user with the email Ada@Example.com exists already.' },
  { args: `key create --user bob --scopes read`, says: 'There is no user "bob". affiliate user list shows them.' },
  { args: `${key} read --expires 2020-01-01`, says: /^expires must not be before today, / },
  { args: 'key revoke 77', says: 'There is no key 77. affiliate key list shows them.' },
  { args: 'settings set switches.get_keys no', says: 'switches.get_keys cannot be "no". It must be true or false.' },
  { args: 'settings set payouts.auto_accept.gateway acme', says: 'There is no gateway "acme" on this site. There are manual, log.' },
  { args: 'settings unset no.such', says: /^There is no setting "no\.such"\./ },
  { args: 'report --from 2026-02-02 --to 2026-02-01', says: '--from is 2026-02-02, which is after 2026-02-01.' },
  { args: 'report --from 9999-01-01', says: /^--from is 9999-01-01, which is after today, \d{4}-\d\d-\d\d\.$/m },
  { args: 'backup /no/such/folder/copy', says: 'There is no folder /no/such/folder. Create it, or name a file in another one.' },
  { args: 'backup /', says: '/ is a folder. Name a file in it.' },
  { args: 'payout resolve 77 --as paid', says: /^There is no payout 77\. affiliate doctor lists / },
  { args: 'webhook replay 77', says: /^There is no such delivery.* affiliate webhook deliveries shows them\.$/m },
];

const titleOf = ({ args, variables = {} }: Refused): string =>
  [...Object.entries(variables).map(([name, value]) => `${name}=${JSON.stringify(value)}`), args].join(' ').slice(0, 100);

describe('a command that only looks', () => {
  it('makes no new database where there is none: that would look as if all were well', async () => {
    const machine = new Machine();
    for (const args of ['report', 'ledger verify', 'export order', 'user list', 'key list', 'webhook list']) {
      const { code, err } = await machine.run(args.split(' '));
      expect([code, err], args).to.deep.equal([
        1,
        `There is no database at ${machine.dataDir}/affiliate.sqlite. Set DATA_DIR or DATABASE_URL, or run affiliate migrate to create one.\n`,
      ]);
    }
  });
});

describe('affiliate, asked for what cannot be done', () => {
  const machine = new Machine();
  const file = path.join(machine.folder, 'file');
  const wherever: Refused[] = [
    { args: 'key list', says: 'PORT is "http". It must be a whole number from 0 to 65535.', variables: { PORT: 'http' } },
    { args: 'serve', says: /^ENVIRONMENT is "test"\. It must be one of/, variables: { ENVIRONMENT: 'test' } },
    { args: 'key list', says: /^DATABASE_URL must start with/, variables: { DATABASE_URL: 'mysql://x/y' } },
    {
      args: 'settings list',
      says: /^\S+file is not a folder\. Set DATA_DIR or DATABASE_URL to another place\.$/m,
      variables: { DATABASE_URL: `sqlite:${file}/data.sqlite` },
    },
    // Node's own way of making folders never comes back from there.
    ...(existsSync('/proc/self') ? ['settings list', 'serve', 'demo'] : []).map((args) => ({
      args,
      says: /^The folder \/proc\/none cannot be made: .*\. Set DATA_DIR or DATABASE_URL to another place\.$/m,
      variables: { DATA_DIR: '/proc/none', PORT: '0' },
    })),
    { args: 'settings list', says: /^\S+file is not a folder\./, variables: { DATA_DIR: path.join(file, 'data') } },
    { args: 'serve', says: /^Could not open .*DATABASE_URL .*DATA_DIR\.$/m, variables: { DATABASE_URL: `sqlite:${file}` } },
    { args: 'doctor extra', says: /^Too many arguments/ },
    {
      args: 'migrate',
      says: /^Could not connect to PostgreSQL: (?!.*hidden).*DATABASE_URL .*\n$/,
      variables: { DATABASE_URL: 'postgres://someone:hidden@127.0.0.1:1/affiliate' },
    },
  ];
  const all = [...words, ...values, ...known, ...wherever];
  let outcomes: Map<Refused, CommandOutcome>;

  before(async () => {
    writeFileSync(file, 'this is no database');
    await machine.addUser('ada', 'customer');
    outcomes = await mapConcurrently(all, ({ args, variables }) => machine.run(args.split(' '), variables));
  });

  for (const refused of all)
    it(`answers "${titleOf(refused)}" with one sentence and exit code 1`, () => {
      expectCommandError(outcomes.get(refused) as CommandOutcome, refused.says);
    });

  it('has changed nothing by then', async () => {
    const { total, users } = await machine.inside((database) =>
      database.read(async ({ keys, users }) => ({
        ...(await keys.page({ today: '2020-01-01' }, { page: 1, perPage: 1 })),
        users: await users.byIds([1, 2, 3]),
      })),
    );
    expect([users.length, total]).to.deep.equal([1, 0]);
  });
});
