import { migration, type Run } from './migration.ts';

const sales = ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'];
const clicks = ['clicks', 'conversions'];
const balances = ['unpaid_minor', 'pending_order_minor', 'pending_payout_minor', 'paid_minor', 'multi_level_minor', 'handed_over_minor'];

const zeros = (columns: readonly string[]): string => columns.map((column) => `${column} bigint not null default 0`).join(', ');
const sums = (columns: readonly string[]): string => columns.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');

/**
 * Totals of the program and of each affiliate, and sums of all coupons by day, so that a report costs its days and not its coupons or orders;
 * and versions, which tell whether a cached sum still holds. Triggers update all of them. On PostgreSQL a row that every order updates would
 * serialise all writers: there the days, the versions and the standing have sixteen parts, which connections share and readers add up, and
 * `program_totals` is a view of the days. The totals of an affiliate are one row, because a ranking has to find them by index.
 */
export const createProgramTotals = migration('create-program-totals-2026111800009', async (run, { engine }) => {
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  await run(`create table program_days (day text not null, part bigint not null, version bigint not null,
    ${zeros(['coupons_count', ...sales, ...clicks])}, primary key (day, part)) ${clustered}`);
  await run('create table program_versions (what text not null, part bigint not null, version bigint not null, primary key (what, part))');
  await run(`create table program_standing (part bigint primary key, ${zeros(['affiliates', 'coupons', ...balances])}) ${clustered}`);
  await run(`create table affiliate_totals (user_id bigint primary key, ${zeros(['published', ...sales])}) ${clustered}`);
  await run('create index affiliate_totals_best on affiliate_totals (commission_minor desc, user_id) where orders_count > 0');
  await (engine === 'sqlite' ? createSqliteTotals(run) : createPostgresTotals(run));
});

/**
 * Adds to stored sums. An upsert finds its row by key: an update of a small table would scan it, and PostgreSQL would then take writers of
 * other rows for conflicts.
 */
const addTo = (table: string, key: readonly string[], columns: readonly string[], added: string): string => `
  insert into ${table} (${[...key, ...columns].join(', ')}) ${added}
  on conflict (${key.join(', ')}) do update set ${columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ')}`;

const newVersion = (what: string, part: string): string =>
  addTo('program_versions', ['what', 'part'], ['version'], `values ('${what}', ${part}, 1)`);

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

type Sign = '' | '-';

/** A key of a row and what the row adds to the sums, or with a minus sign takes from them. */
const selected = (key: string, summed: readonly SummedColumn[], row: string, from: string, sign: Sign = ''): string =>
  `select ${[`${row}${key} as ${key}`, ...summed.map(({ name, of }) => `${sign}(${of(row)}) as ${name}`)].join(', ')}${from && ` from ${from}`}`;

const addDays = ({ summed, version }: Source, part: string, changes: string): string => {
  const columns = summed.map(({ name }) => name);
  const added = `select day, ${part}, ${version}, ${columns.map((column) => `sum(${column})`).join(', ')} from (${changes}) as changed
    where true group by day order by day`;
  return addTo('program_days', ['day', 'part'], ['version', ...columns], added);
};

// What changes with the owner and the status of a coupon.

type When = 'insert' | 'update' | 'delete';
type CreateTrigger = (name: string, moment: string, condition: string | null, ...statements: string[]) => Promise<unknown>;

/** What a write adds to a column of sums. */
const added = (when: When, column: string): string =>
  ({ insert: `new.${column}`, update: `new.${column} - old.${column}`, delete: `-old.${column}` })[when];

const isPublished = (row: 'new' | 'old'): string => `case when ${row}.status = 'publish' and ${row}.user_id is not null then 1 else 0 end`;

/** The sales of a coupon move with it to its new owner. */
const moveSales = (row: 'new' | 'old', sign: Sign): string => {
  const sold = (column: string): string => `${sign}coalesce((select ${column} from coupon_totals where coupon_id = ${row}.id), 0)`;
  const values = [`${row}.user_id`, `${sign}(${isPublished(row)})`, ...sales.map(sold)];
  return addTo('affiliate_totals', ['user_id'], ['published', ...sales], `select ${values.join(', ')} where ${row}.user_id is not null`);
};

/** Adds to the standing of the program, in the part of the connection. */
const addStanding = (part: string, columns: readonly string[], values: readonly string[]): string =>
  addTo('program_standing', ['part'], columns, `values (${[part, ...values].join(', ')})`);

async function followOwners(create: CreateTrigger, part: string, ...always: string[]): Promise<void> {
  const balancesOf = (when: When): string[] => balances.map((column) => added(when, column));
  const join = moveSales('new', '');
  const leave = moveSales('old', '-');
  const [isNew, wasOld] = [isPublished('new'), isPublished('old')];
  const gain = addStanding(part, ['coupons', ...balances], [isNew, ...balancesOf('insert')]);
  const lose = addStanding(part, ['coupons', ...balances], [`-(${wasOld})`, ...balancesOf('delete')]);
  const change = addStanding(part, ['coupons'], [`(${isNew}) - (${wasOld})`]);
  const isOther = 'old.user_id is distinct from new.user_id';
  await create('coupons_insert', 'insert on coupons', null, join, gain, ...always);
  await create('coupons_delete', 'delete on coupons', null, leave, lose, ...always);
  const moves = 'update of user_id, status on coupons';
  await create('coupons_update', moves, `${isOther} or old.status <> new.status`, leave, join, change, ...always);
  await create('coupons_change_owner', 'update of user_id on coupons', isOther, newVersion('owners', part));
  // An affiliate is a user with a published coupon.
  const countAffiliate = (by: string): string => addStanding(part, ['affiliates'], [by]);
  await create('affiliate_totals_insert', 'insert on affiliate_totals', 'new.published > 0', countAffiliate('1'));
  const becomes = '(old.published > 0) <> (new.published > 0)';
  const byOne = 'case when new.published > 0 then 1 else -1 end';
  await create('affiliate_totals_update', 'update of published on affiliate_totals', becomes, countAffiliate(byOne));
}

// SQLite: row triggers. One writer, and so one part.

const trigger = (name: string, moment: string, condition: string | null, ...statements: string[]): string =>
  `create trigger ${name} after ${moment} ${condition === null ? '' : `when ${condition}`} begin ${statements.join('; ')}; end`;

async function createSqliteTotals(run: Run): Promise<void> {
  const create: CreateTrigger = (...definition) => run(trigger(...definition));
  const changed = 'update program_totals set version = version + 1';
  await run(`create table program_totals (version bigint not null, ${zeros([...sales, ...clicks])})`);
  await run('insert into program_totals (version) values (1)');
  for (const when of ['insert', 'update', 'delete'] as const) {
    const adding = (columns: readonly string[]): string =>
      columns.map((column) => `${column} = ${column} + ${added(when, column)}`).join(', ');
    const row = when === 'delete' ? 'old' : 'new';
    const ofOwner = `where user_id = (select user_id from coupons where id = ${row}.coupon_id)`;
    const addOwnSales = `update affiliate_totals set ${adding(sales)} ${ofOwner}`;
    await create(`coupon_totals_${when}`, `${when} on coupon_totals`, null, `${changed}, ${adding(sales)}`, addOwnSales);
    await create(`click_totals_${when}`, `${when} on click_totals`, null, `${changed}, ${adding(clicks)}`);
  }
  const addBalances = addStanding(
    '0',
    balances,
    balances.map((column) => added('update', column)),
  );
  await create('balances_update', `update of ${balances.join(', ')} on coupons`, null, addBalances);
  await followOwners(create, '0', changed);
  for (const source of sources) await followDays(create, source);
}

/** An update that does not change the day, as nearly all, finds the row of the day present. */
async function followDays(create: CreateTrigger, source: Source): Promise<void> {
  const { table, what, summed, version } = source;
  const joins = addDays(source, '0', selected('day', summed, 'new.', ''));
  const leaves = addDays(source, '0', selected('day', summed, 'old.', '', '-'));
  const differs = summed.map(({ name, of }) => `${name} = ${name} + (${of('new.')}) - (${of('old.')})`).join(', ');
  const stays = `update program_days set version = version + ${version}, ${differs} where day = new.day and part = 0`;
  await create(`program_days_gain_${what}`, `insert on ${table}`, null, joins);
  await create(`program_days_lose_${what}`, `delete on ${table}`, null, leaves);
  await create(`program_days_keep_${what}`, `update on ${table}`, 'old.day = new.day', stays);
  await create(`program_days_move_${what}`, `update on ${table}`, 'old.day <> new.day', leaves, joins);
}

// PostgreSQL: statement triggers for what orders and clicks write. For a batch they do a hundredth of the work of row triggers.

const ownPart = 'pg_backend_pid() % 16';

async function createPostgresTotals(run: Run): Promise<void> {
  // Changes with orders, clicks, owners of coupons, and new coupons.
  const version = `concat_ws(' ', (select sum(version) from program_versions), (select max(id) from coupons))`;
  await run(`create view program_totals as select ${version} as version, ${sums([...sales, ...clicks])} from program_days`);
  for (const source of sources) {
    const select = (from: string, sign: Sign): string => selected('day', source.summed, '', from, sign);
    const keep = (changes: string): string => `${addDays(source, ownPart, changes)}; ${newVersion(source.what, ownPart)}`;
    for (const when of ['insert', 'update', 'delete'] as const) await watch(run, source.table, when, select, keep);
  }
  const selectSales = (from: string, sign: Sign): string => selected('coupon_id', sales.map(same), '', from, sign);
  for (const when of ['insert', 'update', 'delete'] as const) await watch(run, 'coupon_totals', when, selectSales, addSales);
  await watch(run, 'coupons', 'update', (from, sign) => selected('id', balances.map(same), '', from, sign), addBalances);
  await followOwners(async (name, moment, condition, ...statements) => {
    await run(makeFunction(name, statements.join('; ')));
    const when = condition === null ? '' : `when (${condition})`;
    await run(`create trigger ${name} after ${moment} for each row ${when} execute function ${name}()`);
  }, ownPart);
}

/**
 * Writes no row where only the status of orders has changed. The owner is looked up by key, once: the plan of a join with `coupons` would be
 * that of the first batch, and could read all coupons for each order.
 */
const addSales = (changes: string): string => {
  const owner = '(select user_id from coupons where coupons.id = changed.coupon_id) as user_id';
  const differs = sales.map((column) => `sum(${column}) <> 0`).join(' or ');
  const sold = `
    with sold as materialized (select ${owner}, ${sales.join(', ')} from (${changes}) as changed)
    select user_id, ${sums(sales)} from sold where user_id is not null group by user_id having ${differs} order by user_id`;
  return addTo('affiliate_totals', ['user_id'], sales, sold);
};

const addBalances = (changes: string): string =>
  addTo('program_standing', ['part'], balances, `select ${ownPart}, ${sums(balances)} from (${changes}) as changed`);

const makeFunction = (name: string, statements: string): string =>
  `create function ${name}() returns trigger language plpgsql as $$ begin ${statements}; return null; end $$`;

/** Creates a statement trigger. `select` reads a transition table; `keep` adds what was read to the sums. */
async function watch(
  run: Run,
  table: string,
  when: When,
  select: (from: string, sign: Sign) => string,
  keep: (changes: string) => string,
): Promise<void> {
  const [joined, departed] = [select('joined', ''), select('departed', '-')];
  const { changes, anyTable, referencing } = {
    insert: { changes: joined, anyTable: 'joined', referencing: 'new table as joined' },
    update: { changes: `${joined} union all ${departed}`, anyTable: 'joined', referencing: 'new table as joined old table as departed' },
    delete: { changes: departed, anyTable: 'departed', referencing: 'old table as departed' },
  }[when];
  const name = `keep_sums_on_${when}_of_${table}`;
  // An upsert fires the triggers of insert and update, and mostly one of them has no rows.
  await run(makeFunction(name, `if exists (select 1 from ${anyTable}) then ${keep(changes)}; end if`));
  await run(`create trigger ${name} after ${when} on ${table} referencing ${referencing} for each statement execute function ${name}()`);
}
