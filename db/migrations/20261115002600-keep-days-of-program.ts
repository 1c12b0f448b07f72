import type { Migration } from './migration.ts';

type Run = Parameters<Migration['up']>[0];

interface SummedColumn {
  name: string;
  /** The expression over a row of the source table; `row` is its prefix, `new.` say. */
  of(row: string): string;
}

const same = (name: string): SummedColumn => ({ name, of: (row) => `${row}${name}` });

/** The columns that each table adds to a day of the program. The version counts writes of orders alone: clicks do not change the ranking. */
const sources = [
  {
    table: 'coupon_days',
    what: 'orders',
    version: 1,
    summed: [
      { name: 'coupons_count', of: (row) => `case when ${row}orders_count > 0 then 1 else 0 end` },
      ...['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'].map(same),
    ],
  },
  { table: 'click_days', what: 'clicks', version: 0, summed: ['clicks', 'conversions'].map(same) },
] satisfies { table: string; what: string; version: number; summed: SummedColumn[] }[];
type Source = (typeof sources)[number];

/**
 * Sums of all coupons by day, so that a report over any range costs its days and not its coupons; and versions, which tell whether a cached
 * sum still holds. A row that every order updates would make concurrent writers on PostgreSQL fail and retry: there connections share
 * sixteen parts, and readers add the parts up.
 */
export const keepDaysOfProgram: Migration = {
  name: '20261115002600-keep-days-of-program',
  async up(run, { engine }) {
    // A write between the filling and the creation of the triggers would be counted by neither.
    if (engine === 'postgres') await run('lock table coupons, coupon_days, click_days in share row exclusive mode');
    const sums = sources.flatMap(({ summed }) => summed).map(({ name }) => `${name} bigint not null default 0`);
    const clustered = engine === 'sqlite' ? 'without rowid' : '';
    await run(`create table program_days (day text not null, part bigint not null, version bigint not null, ${sums.join(', ')},
      primary key (day, part)) ${clustered}`);
    await run(
      `create table program_versions (what text not null, part bigint not null, version bigint not null, primary key (what, part))`,
    );
    for (const source of sources) await run(addDays(source, '0', selected(source, '', source.table)));
    await (engine === 'sqlite' ? addSqliteTriggers(run) : addPostgresTriggers(run));
  },
};

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

/** One writer, and so one part. An update that does not change the day, as nearly all, finds the row of the day present. */
async function addSqliteTriggers(run: Run): Promise<void> {
  const trigger = (name: string, moment: string, ...statements: string[]): Promise<unknown> =>
    run(`create trigger program_days_${name} after ${moment} begin ${statements.join('; ')}; end`);
  for (const source of sources) {
    const { table, what, summed, version } = source;
    const joins = addDays(source, '0', selected(source, 'new.', ''));
    const leaves = addDays(source, '0', selected(source, 'old.', '', '-'));
    const differs = summed.map(({ name, of }) => `${name} = ${name} + (${of('new.')}) - (${of('old.')})`).join(', ');
    const stays = `update program_days set version = version + ${version}, ${differs} where day = new.day and part = 0`;
    await trigger(`gain_${what}`, `insert on ${table}`, joins);
    await trigger(`lose_${what}`, `delete on ${table}`, leaves);
    await trigger(`keep_${what}`, `update on ${table} when old.day = new.day`, stays);
    await trigger(`move_${what}`, `update on ${table} when old.day <> new.day`, leaves, joins);
  }
  await trigger('change_owners', 'update of user_id on coupons when old.user_id is not new.user_id', newVersion('owners', '0'));
}

const ownPart = 'pg_backend_pid() % 16';

/** Statement triggers: for a batch of orders a hundredth of the work of row triggers. */
async function addPostgresTriggers(run: Run): Promise<void> {
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
  await totalFromDays(run);
}

interface Watched {
  when: 'insert' | 'update' | 'delete';
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

const makeFunction = (name: string, statement: string): string =>
  `create function ${name}() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$`;

/** Replaces the view that added up all coupons. Its version changes with orders, clicks, owners of coupons, and new coupons. */
async function totalFromDays(run: Run): Promise<void> {
  const version = `concat_ws(' ', (select sum(version) from program_versions), (select max(id) from coupons))`;
  const columns = ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor', 'clicks', 'conversions'];
  const sums = columns.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');
  await run(`create or replace view program_totals as select ${version} as version, ${sums} from program_days`);
}
