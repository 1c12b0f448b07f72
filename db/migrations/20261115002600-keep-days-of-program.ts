import type { Migration } from './migration.ts';

type Run = Parameters<Migration['up']>[0];

interface Kept {
  name: string;
  /** Where a row of the source is called so. */
  of(row: string): string;
}

const same = (name: string): Kept => ({ name, of: (row) => `${row}${name}` });

/** What each table adds to a day of the program. A day has a version for its orders alone: clicks do not change who sells the most. */
const sources = [
  {
    table: 'coupon_days',
    what: 'orders',
    version: 1,
    kept: [
      { name: 'coupons_count', of: (row) => `case when ${row}orders_count > 0 then 1 else 0 end` },
      ...['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'].map(same),
    ],
  },
  { table: 'click_days', what: 'clicks', version: 0, kept: ['clicks', 'conversions'].map(same) },
] satisfies { table: string; what: string; version: number; kept: Kept[] }[];
type Source = (typeof sources)[number];

/**
 * What all coupons come to on each day, so that a report over any range costs its days and not its coupons; and versions, which say of
 * what was added up before whether it still holds. A row that every order changes would make all who write on PostgreSQL fail and try
 * again: there connections share sixteen parts, and whoever reads adds the parts up.
 */
export const keepDaysOfProgram: Migration = {
  name: '20261115002600-keep-days-of-program',
  async up(run, { engine }) {
    // What is written between the filling and the triggers would be counted by neither.
    if (engine === 'postgres') await run('lock table coupons, coupon_days, click_days in share row exclusive mode');
    const sums = sources.flatMap(({ kept }) => kept).map(({ name }) => `${name} bigint not null default 0`);
    const clustered = engine === 'sqlite' ? 'without rowid' : '';
    await run(`create table program_days (day text not null, part bigint not null, version bigint not null, ${sums.join(', ')},
      primary key (day, part)) ${clustered}`);
    await run(
      `create table program_versions (what text not null, part bigint not null, version bigint not null, primary key (what, part))`,
    );
    for (const source of sources) await run(addDays(source, '0', selected(source, '', source.table)));
    await (engine === 'sqlite' ? keepOnSqlite(run) : keepOnPostgres(run));
  },
};

/** The day and what it gains from a row, or loses with it. */
const selected = ({ kept }: Source, row: string, from: string, sign: '' | '-' = ''): string =>
  `select ${row}day as day, ${kept.map(({ name, of }) => `${sign}(${of(row)}) as ${name}`).join(', ')}${from && ` from ${from}`}`;

const addDays = ({ kept, version }: Source, part: string, changes: string): string => `
  insert into program_days (day, part, version, ${kept.map(({ name }) => name).join(', ')})
  select day, ${part}, ${version}, ${kept.map(({ name }) => `sum(${name})`).join(', ')} from (${changes}) as changed
  where true group by day order by day
  on conflict (day, part) do update set version = program_days.version + ${version},
    ${kept.map(({ name }) => `${name} = program_days.${name} + excluded.${name}`).join(', ')}`;

const newVersion = (what: string, part: string): string => `
  insert into program_versions (what, part, version) values ('${what}', ${part}, 1)
  on conflict (what, part) do update set version = program_versions.version + 1`;

/** One writer, and so one part. Where a day stays the same, which is nearly always, its row is there already. */
async function keepOnSqlite(run: Run): Promise<void> {
  const trigger = (name: string, moment: string, ...statements: string[]): Promise<unknown> =>
    run(`create trigger program_days_${name} after ${moment} begin ${statements.join('; ')}; end`);
  for (const source of sources) {
    const { table, what, kept, version } = source;
    const joins = addDays(source, '0', selected(source, 'new.', ''));
    const leaves = addDays(source, '0', selected(source, 'old.', '', '-'));
    const differs = kept.map(({ name, of }) => `${name} = ${name} + (${of('new.')}) - (${of('old.')})`).join(', ');
    const stays = `update program_days set version = version + ${version}, ${differs} where day = new.day and part = 0`;
    await trigger(`gain_${what}`, `insert on ${table}`, joins);
    await trigger(`lose_${what}`, `delete on ${table}`, leaves);
    await trigger(`keep_${what}`, `update on ${table} when old.day = new.day`, stays);
    await trigger(`move_${what}`, `update on ${table} when old.day <> new.day`, leaves, joins);
  }
  await trigger('change_owners', 'update of user_id on coupons when old.user_id is not new.user_id', newVersion('owners', '0'));
}

const ownPart = 'pg_backend_pid() % 16';

/** All rows of a statement at once, which for a batch of orders is a hundredth of the work of one after the other. */
async function keepOnPostgres(run: Run): Promise<void> {
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
  /** What the rows before and after the statement are called. */
  tables: Record<string, 'new' | 'old'>;
  changes: string;
}

async function watch(run: Run, source: Source, { when, tables, changes }: Watched): Promise<void> {
  const { table, what } = source;
  const name = `keep_program_days_on_${when}_of_${what}`;
  const [anyTable] = Object.keys(tables);
  const keep = `${addDays(source, ownPart, changes)}; ${newVersion(what, ownPart)}`;
  // A statement that inserts or updates is watched as both, and mostly is one.
  await run(makeFunction(name, `if exists (select 1 from ${anyTable}) then ${keep}; end if`));
  const referencing = Object.entries(tables).map(([called, which]) => `${which} table as ${called}`);
  await run(`create trigger ${name} after ${when} on ${table} referencing ${referencing.join(' ')}
    for each statement execute function ${name}()`);
}

const makeFunction = (name: string, statement: string): string =>
  `create function ${name}() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$`;

/** There was a view that added up all coupons. Its version changes with orders, clicks, coupons that change hands, and new ones. */
async function totalFromDays(run: Run): Promise<void> {
  const version = `concat_ws(' ', (select sum(version) from program_versions), (select max(id) from coupons))`;
  const columns = ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor', 'clicks', 'conversions'];
  const sums = columns.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');
  await run(`create or replace view program_totals as select ${version} as version, ${sums} from program_days`);
}
