import { migration, type Run } from './migration.ts';

const sales = ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'];
const clicks = ['clicks', 'conversions'];
const balances = ['unpaid_minor', 'pending_order_minor', 'pending_payout_minor', 'paid_minor', 'multi_level_minor', 'handed_over_minor'];

const zeros = (columns: readonly string[]): string => columns.map((column) => `${column} bigint not null default 0`).join(', ');
const sums = (columns: readonly string[]): string => columns.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');

/**
 * Totals of the program and of each affiliate, and sums of all coupons by day, so that a report costs its days and not its coupons or orders;
 * and versions, which tell whether a cached sum still holds. On SQLite all of them are tables that row triggers update: there is one writer.
 * On PostgreSQL a row that every order updates would serialise all writers: there the days have sixteen parts, which connections share and
 * readers add up, and the totals are views.
 */
export const createProgramTotals = migration('create-program-totals-2026111800009', async (run, { engine }) => {
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  await run(`create table program_days (day text not null, part bigint not null, version bigint not null,
    ${zeros(['coupons_count', ...sales, ...clicks])}, primary key (day, part)) ${clustered}`);
  await run('create table program_versions (what text not null, part bigint not null, version bigint not null, primary key (what, part))');
  await (engine === 'sqlite' ? createSqliteTotals(run) : createPostgresTotals(run));
});

// What the tables of coupons add to a day of the program.

interface SummedColumn {
  name: string;
  /** The expression over a row of the source table; `row` is its prefix, `new.` say. */
  of(row: string): string;
}

const same = (name: string): SummedColumn => ({ name, of: (row) => `${row}${name}` });

/** The version counts writes of orders alone: clicks do not change the ranking. */
const sources = [
  {
    table: 'coupon_days',
    what: 'orders',
    version: 1,
    summed: [{ name: 'coupons_count', of: (row) => `case when ${row}orders_count > 0 then 1 else 0 end` }, ...sales.map(same)],
  },
  { table: 'click_days', what: 'clicks', version: 0, summed: clicks.map(same) },
] satisfies { table: string; what: string; version: number; summed: SummedColumn[] }[];
type Source = (typeof sources)[number];

/** The day of a row and what it adds to the sums, or with a minus sign takes from them. */
const selected = ({ summed }: Source, row: string, from: string, sign: '' | '-' = ''): string =>
  `select ${row}day as day, ${summed.map(({ name, of }) => `${sign}(${of(row)}) as ${name}`).join(', ')}${from && ` from ${from}`}`;

const addDays = ({ summed, version }: Source, part: string, changes: string): string => `
  insert into program_days (day, part, version, ${summed.map(({ name }) => name).join(', ')})
  select day, ${part}, ${version}, ${summed.map(({ name }) => `sum(${name})`).join(', ')} from (${changes}) as changed
  where true group by day order by day
  on conflict (day, part) do update set version = program_days.version + ${version},
    ${summed.map(({ name }) => `${name} = program_days.${name} + excluded.${name}`).join(', ')}`;

const newVersion = (what: string, part: string): string => `
  insert into program_versions (what, part, version) values ('${what}', ${part}, 1)
  on conflict (what, part) do update set version = program_versions.version + 1`;

// SQLite: tables and row triggers.

type When = 'insert' | 'update' | 'delete';

const trigger = (name: string, moment: string, ...statements: string[]): string =>
  `create trigger ${name} after ${moment} begin ${statements.join('; ')}; end`;

/** What a write adds to columns of the totals. */
const adding = (when: When, columns: readonly string[]): string => {
  const added = (column: string): string =>
    ({ insert: `new.${column}`, update: `new.${column} - old.${column}`, delete: `-old.${column}` })[when];
  return columns.map((column) => `${column} = ${column} + ${added(column)}`).join(', ');
};

async function createSqliteTotals(run: Run): Promise<void> {
  await run(`create table affiliate_totals (user_id integer primary key, ${zeros(['published', ...sales])})`);
  await run('create index affiliate_totals_best on affiliate_totals (commission_minor desc, user_id) where orders_count > 0');
  await run(`create table program_totals (version bigint not null, ${zeros([...sales, ...clicks])})`);
  await run('insert into program_totals (version) values (1)');
  await run(`create table program_standing (${zeros(['affiliates', 'coupons', ...balances])})`);
  await run('insert into program_standing default values');
  for (const when of ['insert', 'update', 'delete'] as const) {
    const row = when === 'delete' ? 'old' : 'new';
    const ofOwner = `where user_id = (select user_id from coupons where id = ${row}.coupon_id)`;
    const addSales = `update program_totals set version = version + 1, ${adding(when, sales)}`;
    const addOwnSales = `update affiliate_totals set ${adding(when, sales)} ${ofOwner}`;
    await run(trigger(`coupon_totals_${when}`, `${when} on coupon_totals`, addSales, addOwnSales));
    const addClicks = `update program_totals set version = version + 1, ${adding(when, clicks)}`;
    await run(trigger(`click_totals_${when}`, `${when} on click_totals`, addClicks));
    const moment = when === 'update' ? `update of ${balances.join(', ')}` : when;
    await run(trigger(`balances_${when}`, `${moment} on coupons`, `update program_standing set ${adding(when, balances)}`));
  }
  await followOwners(run);
  for (const source of sources) await followDays(run, source);
}

const isPublished = (row: 'new' | 'old'): string => `(${row}.status = 'publish' and ${row}.user_id is not null)`;

/** The sales of a coupon move with it to its new owner. */
const moveSales = (row: 'new' | 'old', sign: '+' | '-'): string => {
  const sold = (column: string): string => `coalesce((select ${column} from coupon_totals where coupon_id = ${row}.id), 0)`;
  return `update affiliate_totals set published = published ${sign} ${isPublished(row)},
    ${sales.map((column) => `${column} = ${column} ${sign} ${sold(column)}`).join(', ')} where user_id = ${row}.user_id`;
};

async function followOwners(run: Run): Promise<void> {
  const joining = [
    'insert or ignore into affiliate_totals (user_id) select new.user_id where new.user_id is not null',
    moveSales('new', '+'),
    `update program_standing set coupons = coupons + ${isPublished('new')}`,
  ];
  const leaving = [moveSales('old', '-'), `update program_standing set coupons = coupons - ${isPublished('old')}`];
  const changed = 'update program_totals set version = version + 1';
  const moved = 'update of user_id, status on coupons when old.user_id is not new.user_id or old.status <> new.status';
  await run(trigger('coupons_insert', 'insert on coupons', ...joining, changed));
  await run(trigger('coupons_update', moved, ...leaving, ...joining, changed));
  await run(trigger('coupons_delete', 'delete on coupons', ...leaving, changed));
  // An affiliate is a user with a published coupon.
  const published = 'update of published on affiliate_totals when (old.published > 0) <> (new.published > 0)';
  const countAffiliate = 'update program_standing set affiliates = affiliates + (new.published > 0) - (old.published > 0)';
  await run(trigger('affiliate_totals_update', published, countAffiliate));
  const handedOver = 'update of user_id on coupons when old.user_id is not new.user_id';
  await run(trigger('program_days_change_owners', handedOver, newVersion('owners', '0')));
}

/** One writer, and so one part. An update that does not change the day, as nearly all, finds the row of the day present. */
async function followDays(run: Run, source: Source): Promise<void> {
  const { table, what, summed, version } = source;
  const joins = addDays(source, '0', selected(source, 'new.', ''));
  const leaves = addDays(source, '0', selected(source, 'old.', '', '-'));
  const differs = summed.map(({ name, of }) => `${name} = ${name} + (${of('new.')}) - (${of('old.')})`).join(', ');
  const stays = `update program_days set version = version + ${version}, ${differs} where day = new.day and part = 0`;
  await run(trigger(`program_days_gain_${what}`, `insert on ${table}`, joins));
  await run(trigger(`program_days_lose_${what}`, `delete on ${table}`, leaves));
  await run(trigger(`program_days_keep_${what}`, `update on ${table} when old.day = new.day`, stays));
  await run(trigger(`program_days_move_${what}`, `update on ${table} when old.day <> new.day`, leaves, joins));
}

// PostgreSQL: views and statement triggers, which for a batch of orders do a hundredth of the work of row triggers.

const ownPart = 'pg_backend_pid() % 16';

const makeFunction = (name: string, statement: string): string =>
  `create function ${name}() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$`;

async function createPostgresTotals(run: Run): Promise<void> {
  await run(`create view affiliate_totals as
    select user_id, sum(case when status = 'publish' then 1 else 0 end) as published, ${sums(sales)}
    from coupons left join coupon_totals on coupon_totals.coupon_id = coupons.id where user_id is not null group by user_id`);
  // Changes with orders, clicks, owners of coupons, and new coupons.
  const version = `concat_ws(' ', (select sum(version) from program_versions), (select max(id) from coupons))`;
  await run(`create view program_totals as select ${version} as version, ${sums([...sales, ...clicks])} from program_days`);
  // The index of published coupons has their owners in order: `count(distinct …)` would sort all coupons for each report.
  const published = "status = 'publish' and user_id is not null";
  await run(`create view program_standing as select
    (select count(*) from (select distinct user_id from coupons where ${published}) as owners) as affiliates,
    count(*) filter (where ${published}) as coupons, ${sums(balances)} from coupons`);
  for (const source of sources) {
    const joined = selected(source, '', 'joined');
    const departed = selected(source, '', 'departed', '-');
    await watch(run, source, { when: 'insert', tables: { joined: 'new' }, changes: joined });
    await watch(run, source, { when: 'update', tables: { joined: 'new', departed: 'old' }, changes: `${joined} union all ${departed}` });
    await watch(run, source, { when: 'delete', tables: { departed: 'old' }, changes: departed });
  }
  await run(makeFunction('note_change_of_owner', newVersion('owners', ownPart)));
  await run(`create trigger note_change_of_owner after update of user_id on coupons for each row
    when (old.user_id is distinct from new.user_id) execute function note_change_of_owner()`);
}

interface Watched {
  when: When;
  /** The names of the transition tables. */
  tables: Record<string, 'new' | 'old'>;
  changes: string;
}

async function watch(run: Run, source: Source, { when, tables, changes }: Watched): Promise<void> {
  const { table, what } = source;
  const name = `keep_program_days_on_${when}_of_${what}`;
  const [anyTable] = Object.keys(tables);
  const keep = `${addDays(source, ownPart, changes)}; ${newVersion(what, ownPart)}`;
  // An upsert fires the triggers of insert and update, and mostly one of them has no rows.
  await run(makeFunction(name, `if exists (select 1 from ${anyTable}) then ${keep}; end if`));
  const referencing = Object.entries(tables).map(([called, which]) => `${which} table as ${called}`);
  await run(`create trigger ${name} after ${when} on ${table} referencing ${referencing.join(' ')}
    for each statement execute function ${name}()`);
}
