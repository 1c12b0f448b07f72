import type { Migration } from './migration.ts';

type Run = Parameters<Migration['up']>[0];

const sales = ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'];
const balances = ['unpaid_minor', 'pending_order_minor', 'pending_payout_minor', 'paid_minor'];
const clicks = ['clicks', 'conversions'];

const sumsOf = (columns: readonly string[]): string => columns.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');

/**
 * Totals of the program and of each affiliate, so that a report costs the same with ten thousand coupons as with a hundred. On SQLite they
 * are tables that triggers update: there is one writer, which the further rows cost next to nothing. On PostgreSQL a row that every order
 * updates would serialise all writers, so there the same names are views that add up.
 */
export const keepProgramTotals: Migration = {
  name: '20261115002300-keep-program-totals',
  up: (run, { engine }) => (engine === 'sqlite' ? createTables(run) : createViews(run)),
};

const affiliateTotals = `
  select user_id, sum(case when status = 'publish' then 1 else 0 end) as published, ${sumsOf(sales)}
  from coupons left join coupon_totals on coupon_totals.coupon_id = coupons.id
  where user_id is not null group by user_id`;

const standing = `
  count(distinct case when status = 'publish' then user_id end) as affiliates,
  count(case when status = 'publish' then user_id end) as coupons, ${sumsOf(balances)}`;

async function createViews(run: Run): Promise<void> {
  await run(`create view affiliate_totals as ${affiliateTotals}`);
  // Each number grows with every write to orders or clicks. Owners of coupons have no such number, so the version includes them all.
  const version = `
    md5(concat_ws(' ', (select sum(version) from coupon_totals), (select sum(clicks + conversions) from click_totals),
      (select string_agg(id || ':' || user_id, ' ' order by id) from coupons)))`;
  const single = (column: string, table: string): string => `(select coalesce(sum(${column}), 0) from ${table}) as ${column}`;
  const totals = [...sales.map((column) => single(column, 'coupon_totals')), ...clicks.map((column) => single(column, 'click_totals'))];
  await run(`create view program_totals as select ${version} as version, ${totals.join(', ')}`);
  await run(`create view program_standing as select ${standing} from coupons`);
}

async function createTables(run: Run): Promise<void> {
  const zeros = (columns: readonly string[]): string => columns.map((column) => `${column} bigint not null default 0`).join(', ');
  await run(`create table affiliate_totals (user_id integer primary key, ${zeros(['published', ...sales])})`);
  await run('create index affiliate_totals_best on affiliate_totals (commission_minor desc, user_id) where orders_count > 0');
  await run(`insert into affiliate_totals (user_id, published, ${sales.join(', ')}) ${affiliateTotals}`);
  await run(`create table program_totals (version bigint not null, ${zeros([...sales, ...clicks])})`);
  await run(`insert into program_totals select 1, sold.*, clicked.* from (select ${sumsOf(sales)} from coupon_totals) as sold,
    (select ${sumsOf(clicks)} from click_totals) as clicked`);
  await run(`create table program_standing (${zeros(['affiliates', 'coupons', ...balances])})`);
  await run(`insert into program_standing select ${standing} from coupons`);
  for (const when of ['insert', 'update', 'delete'] as const) {
    await keepSales(run, when);
    await keepClicks(run, when);
    await keepCoupons(run, when);
  }
  await keepAffiliates(run);
}

type When = 'insert' | 'update' | 'delete';

/** The amount that a write adds to a column. */
const added = (when: When, column: string): string =>
  ({ insert: `new.${column}`, update: `new.${column} - old.${column}`, delete: `-old.${column}` })[when];

const adding = (when: When, columns: readonly string[]): string =>
  columns.map((column) => `${column} = ${column} + ${added(when, column)}`).join(', ');

const trigger = (name: string, moment: string, ...statements: string[]): string =>
  `create trigger ${name} after ${moment} begin ${statements.map((statement) => `${statement};`).join(' ')} end`;

const row = (when: When): 'new' | 'old' => (when === 'delete' ? 'old' : 'new');

const keepSales = (run: Run, when: When): Promise<unknown> =>
  run(
    trigger(
      `coupon_totals_${when}`,
      `${when} on coupon_totals`,
      `update program_totals set version = version + 1, ${adding(when, sales)}`,
      `update affiliate_totals set ${adding(when, sales)} where user_id = (select user_id from coupons where id = ${row(when)}.coupon_id)`,
    ),
  );

const keepClicks = (run: Run, when: When): Promise<unknown> =>
  run(
    trigger(`click_totals_${when}`, `${when} on click_totals`, `update program_totals set version = version + 1, ${adding(when, clicks)}`),
  );

const publishedOf = (which: 'new' | 'old'): string => `(${which}.status = 'publish' and ${which}.user_id is not null)`;

/** The sales of a coupon move with it to its new owner. */
const moving = (which: 'new' | 'old', sign: '+' | '-'): string => {
  const sold = (column: string): string => `coalesce((select ${column} from coupon_totals where coupon_id = ${which}.id), 0)`;
  return `update affiliate_totals set published = published ${sign} ${publishedOf(which)},
    ${sales.map((column) => `${column} = ${column} ${sign} ${sold(column)}`).join(', ')} where user_id = ${which}.user_id`;
};

const joining = [
  'insert or ignore into affiliate_totals (user_id) select new.user_id where new.user_id is not null',
  moving('new', '+'),
  `update program_standing set coupons = coupons + ${publishedOf('new')}`,
];
const leaving = [moving('old', '-'), `update program_standing set coupons = coupons - ${publishedOf('old')}`];
const newVersion = 'update program_totals set version = version + 1';

async function keepCoupons(run: Run, when: When): Promise<void> {
  const [left, joined] = [when === 'insert' ? [] : leaving, when === 'delete' ? [] : joining];
  const moment =
    when === 'update'
      ? 'update of user_id, status on coupons when old.user_id is not new.user_id or old.status <> new.status'
      : `${when} on coupons`;
  await run(trigger(`coupons_${when}`, moment, ...left, ...joined, newVersion));
  const touched = when === 'update' ? `update of ${balances.join(', ')}` : when;
  await run(trigger(`balances_${when}`, `${touched} on coupons`, `update program_standing set ${adding(when, balances)}`));
}

/** An affiliate is a user with a published coupon. */
const keepAffiliates = (run: Run): Promise<unknown> =>
  run(
    trigger(
      'affiliate_totals_update',
      'update of published on affiliate_totals when (old.published > 0) <> (new.published > 0)',
      'update program_standing set affiliates = affiliates + (new.published > 0) - (old.published > 0)',
    ),
  );
