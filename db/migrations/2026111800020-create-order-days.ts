import { migration, type Run } from './migration.ts';

const counts = ['n_pending', 'n_processing', 'n_on_hold', 'n_completed', 'n_failed', 'n_cancelled', 'n_refunded'];
const list = counts.join(', ');

const sums = counts.map((column) => `sum(${column}) as ${column}`).join(', ');

/** The counts of a row, or with a minus sign what they take away; `row` is its prefix, `new.` say. */
const selectCounts = (sign: '' | '-', row = ''): string => counts.map((column) => `${sign}${row}${column} as ${column}`).join(', ');

/**
 * Orders by day and status: of the program, as user 0, and of each affiliate's coupons. Lists of orders take their totals and the days of a page
 * from here. Triggers follow `coupon_days` and the owners of coupons. On PostgreSQL the program has sixteen parts, so that writers do not wait
 * for each other.
 */
export const createOrderDays = migration('create-order-days-2026111800020', async (run, { engine }) => {
  const zeros = counts.map((column) => `${column} bigint not null default 0`).join(', ');
  await run(`create table order_days (user_id bigint not null, day text not null, part bigint not null, ${zeros},
    primary key (user_id, day, part)) ${engine === 'sqlite' ? 'without rowid' : ''}`);
  await run(addCounts(`select coupon_id, day, ${list} from coupon_days`, '0'));
  await (engine === 'sqlite' ? followOnSqlite(run) : followOnPostgres(run));
  // The order of the list. The statuses, which may be filtered by, are read from the index too.
  await run('create index orders_newest on orders (day, placed_at, order_id, status, commission_status)');
});

/** Always in the same order, so that two transactions which write the same days cannot deadlock. */
const add = (selected: string): string => `
  insert into order_days (user_id, day, part, ${list}) ${selected} order by user_id, day
  on conflict (user_id, day, part) do update set ${counts.map((column) => `${column} = order_days.${column} + excluded.${column}`).join(', ')}`;

/** Adds changes, each with coupon, day and counts, to the program and to the owner of the coupon. */
const addCounts = (changes: string, part: string): string =>
  add(`
  select user_id, day, part, ${sums} from (
    select 0 as user_id, day, ${part} as part, ${list} from (${changes}) as changed
    union all
    select (select user_id from coupons where coupons.id = changed.coupon_id), day, 0, ${list} from (${changes}) as changed
  ) as counted where user_id is not null group by user_id, day, part
  having ${counts.map((column) => `sum(${column}) <> 0`).join(' or ')}`);

/** What the days of a coupon add to its new owner and take from its former one. */
const moveCounts = (row: 'new' | 'old', sign: '' | '-'): string =>
  add(
    `select ${row}.user_id as user_id, day, 0 as part, ${selectCounts(sign)} from coupon_days where coupon_id = new.id and ${row}.user_id is not null`,
  );

const ownerChange = { moment: 'update of user_id on coupons', condition: 'old.user_id is distinct from new.user_id' };
const moveToOwner = `${moveCounts('old', '-')}; ${moveCounts('new', '')}`;

async function followOnSqlite(run: Run): Promise<void> {
  const follow = (name: string, moment: string, statements: string, condition = 'true'): Promise<unknown> =>
    run(`create trigger ${name} after ${moment} when ${condition} begin ${statements}; end`);
  const joined = `select new.coupon_id as coupon_id, new.day as day, ${selectCounts('', 'new.')}`;
  const departed = `select old.coupon_id as coupon_id, old.day as day, ${selectCounts('-', 'old.')}`;
  // Most changes of an order are of its amounts.
  const differs = ['day', ...counts].map((column) => `old.${column} <> new.${column}`).join(' or ');
  await follow('order_days_gain', 'insert on coupon_days', addCounts(joined, '0'));
  await follow('order_days_change', 'update on coupon_days', addCounts(`${joined} union all ${departed}`, '0'), differs);
  await follow('order_days_lose', 'delete on coupon_days', addCounts(departed, '0'));
  await follow('order_days_move', ownerChange.moment, moveToOwner, ownerChange.condition);
}

async function followOnPostgres(run: Run): Promise<void> {
  const joined = `select coupon_id, day, ${list} from joined`;
  const departed = `select coupon_id, day, ${selectCounts('-')} from departed`;
  const follow = async (name: string, moment: string, when: string, statements: string): Promise<void> => {
    await run(`create function ${name}() returns trigger language plpgsql as $$ begin ${statements}; return null; end $$`);
    await run(`create trigger ${name} after ${moment} ${when} execute function ${name}()`);
  };
  const each = (tables: string): string => `referencing ${tables} for each statement`;
  const [newRows, oldRows] = ['new table as joined', 'old table as departed'];
  const count = (changes: string): string => addCounts(changes, 'pg_backend_pid() % 16');
  await follow('order_days_gain', 'insert on coupon_days', each(newRows), count(joined));
  await follow('order_days_change', 'update on coupon_days', each(`${newRows} ${oldRows}`), count(`${joined} union all ${departed}`));
  await follow('order_days_lose', 'delete on coupon_days', each(oldRows), count(departed));
  await follow('order_days_move', ownerChange.moment, `for each row when (${ownerChange.condition})`, moveToOwner);
}
