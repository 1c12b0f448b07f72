import type { Migration } from './migration.ts';

type Run = Parameters<Migration['up']>[0];
type When = 'insert' | 'update' | 'delete';

/** What each table adds to a day of the program. The version of a day is that of its orders: clicks do not change who sells the most. */
const sources = [
  { table: 'coupon_days', columns: ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'], version: 1 },
  { table: 'click_days', columns: ['clicks', 'conversions'], version: 0 },
] as const;
type Source = (typeof sources)[number];

const kept = sources.flatMap(({ columns }) => columns);

/**
 * What all coupons come to on each day, so that a report over any range costs its days and not its coupons; and versions, which say of
 * what was added up before whether it still holds. A row that every order changes would make all who write on PostgreSQL fail and try
 * again: there each connection has a part of its own, and whoever reads adds the parts up.
 */
export const keepDaysOfProgram: Migration = {
  name: '20261115002600-keep-days-of-program',
  async up(run, { engine }) {
    const sums = kept.map((column) => `${column} bigint not null default 0`).join(', ');
    const clustered = engine === 'sqlite' ? 'without rowid' : '';
    await run(
      `create table program_days (day text not null, part bigint not null, version bigint not null, ${sums}, primary key (day, part)) ${clustered}`,
    );
    for (const source of sources) await run(fillDays(source));
    await run('create table program_owners (part bigint primary key, version bigint not null)');
    await (engine === 'sqlite' ? keepOnSqlite(run) : keepOnPostgres(run));
  },
};

const added = (version: number, columns: readonly string[]): string =>
  [
    `version = program_days.version + ${version}`,
    ...columns.map((column) => `${column} = program_days.${column} + excluded.${column}`),
  ].join(', ');

/** The days, and what they add, as a select of `day` and the columns gives them. */
const addDays = ({ columns, version }: Source, part: string, select: string): string => `
  insert into program_days (day, part, version, ${columns.join(', ')})
  select day, ${part}, ${version}, ${columns.map((column) => `sum(${column})`).join(', ')} from (${select}) as changed
  where true group by day order by day
  on conflict (day, part) do update set ${added(version, columns)}`;

const listed = (columns: readonly string[], from: string, sign: '' | '-' = ''): string =>
  columns.map((column) => `${sign}${from}${column} as ${column}`).join(', ');

/** Also what the bench fills its tables with, where no trigger watches. */
export const fillDays = (source: Source): string => addDays(source, '0', `select day, ${listed(source.columns, '')} from ${source.table}`);
export const daySources = sources;

/** One writer, and so one part. Where a day stays the same, which is nearly always, its row is there already. */
async function keepOnSqlite(run: Run): Promise<void> {
  for (const source of sources) {
    const { table, columns, version } = source;
    const joins = addDays(source, '0', `select new.day as day, ${listed(columns, 'new.')}`);
    const leaves = addDays(source, '0', `select old.day as day, ${listed(columns, 'old.', '-')}`);
    const differs = columns.map((column) => `${column} = ${column} + new.${column} - old.${column}`).join(', ');
    const stays = `update program_days set version = version + ${version}, ${differs} where day = new.day and part = 0`;
    const trigger = (name: string, moment: string, ...statements: string[]): Promise<unknown> =>
      run(`create trigger program_days_${table}_${name} after ${moment} begin ${statements.join('; ')}; end`);
    await trigger('joins', `insert on ${table}`, joins);
    await trigger('leaves', `delete on ${table}`, leaves);
    await trigger('stays', `update on ${table} when old.day = new.day`, stays);
    await trigger('moves', `update on ${table} when old.day <> new.day`, leaves, joins);
  }
  await run(`create trigger program_owners_change after update of user_id on coupons when old.user_id is not new.user_id begin
    insert into program_owners (part, version) values (0, 1) on conflict (part) do update set version = version + 1; end`);
}

const ownPart = 'pg_backend_pid() % 16';

/** All rows of a statement at once, which for a batch of orders is a hundredth of the work of one after the other. */
async function keepOnPostgres(run: Run): Promise<void> {
  await totalFromDays(run);
  for (const source of sources) for (const when of ['insert', 'update', 'delete'] as const) await watch(run, source, when);
  await run(`create function note_change_of_owner() returns trigger language plpgsql as $$ begin
    insert into program_owners (part, version) values (${ownPart}, 1)
    on conflict (part) do update set version = program_owners.version + 1;
    return null;
  end $$`);
  await run(`create trigger program_owners_change after update of user_id on coupons for each row
    when (old.user_id is distinct from new.user_id) execute function note_change_of_owner()`);
}

/** Of what there was a view that added up all coupons: their days of the program are fewer. */
async function totalFromDays(run: Run): Promise<void> {
  // Each number grows: with orders, with clicks, with coupons that change hands, and with new ones.
  const version = `concat_ws(' ', sum(version), sum(clicks + conversions), (select sum(version) from program_owners), (select max(id) from coupons))`;
  const sums = kept.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');
  await run('drop view program_totals');
  await run(`create view program_totals as select ${version} as version, ${sums} from program_days`);
}

async function watch(run: Run, source: Source, when: When): Promise<void> {
  const { table, columns } = source;
  const joined = when === 'delete' ? [] : [`select day, ${listed(columns, '')} from joined`];
  const left = when === 'insert' ? [] : [`select day, ${listed(columns, '', '-')} from departed`];
  const names = [...(joined.length > 0 ? ['new table as joined'] : []), ...(left.length > 0 ? ['old table as departed'] : [])];
  const name = `keep_program_days_on_${when}_of_${table}`;
  await run(`create function ${name}() returns trigger language plpgsql as $$ begin
    ${addDays(source, ownPart, [...joined, ...left].join(' union all '))};
    return null;
  end $$`);
  await run(`create trigger ${name} after ${when} on ${table} referencing ${names.join(' ')}
    for each statement execute function ${name}()`);
}
