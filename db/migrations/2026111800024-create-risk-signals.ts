import { migration, type Run } from './migration.ts';

export const createRiskSignals = migration('create-risk-signals-2026111800024', async (run, { id, engine }) => {
  await run(`
    create table risk_signals (
      id ${id},
      kind text not null,
      user_id bigint not null references users (id),
      coupon_id bigint references coupons (id),
      status text not null check (status in ('open', 'confirmed', 'dismissed', 'expired')),
      opened_at bigint not null,
      last_seen_at bigint not null,
      count bigint not null,
      text text not null,
      evidence text not null,
      note text not null,
      decided_by bigint,
      decided_at bigint,
      decided_count bigint
    )`);
  // One open signal for each user and kind, enforced by the database.
  await run("create unique index risk_signals_open on risk_signals (user_id, kind) where status = 'open'");
  await run('create index risk_signals_of_user on risk_signals (user_id, kind, id)');
  // No reference to orders, which are written after their marks.
  await run(`
    create table order_marks (
      order_id bigint not null,
      kind text not null,
      coupon_id bigint not null references coupons (id),
      net_minor bigint not null,
      commission_minor bigint not null,
      primary key (order_id, kind)
    )`);
  await run('create index order_marks_of_coupon on order_marks (coupon_id, kind, order_id)');
  await run('create table risk_changes (user_id bigint primary key, version bigint not null)');
  await run('create table risk_progress (coupon_id bigint primary key, orders_version bigint not null, clicks bigint not null)');
  await run('create table risk_links (user_id bigint not null, link text not null, seen_at bigint not null, primary key (user_id, link))');
  await run('create index risk_links_of_link on risk_links (link, user_id)');
  await run('create table risk_lease (id bigint primary key, holder text not null, expires_at bigint not null)');
  await run("insert into risk_lease (id, holder, expires_at) values (1, '', 0)");
  // The first scan covers the affiliates that exist.
  await run(`
    insert into risk_changes (user_id, version)
    select id, 0 from users where role = 'affiliate' or exists (select 1 from coupons where coupons.user_id = users.id)
      or exists (select 1 from payout_details where payout_details.user_id = users.id)`);
  await followUsers(run, engine);
});

interface Source {
  name: string;
  moment: string;
  /** The user, of the new row. */
  user: string;
  condition?: string;
}

const differs = (...columns: string[]): string => columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');

/** What signals about accounts depend on. Orders and clicks have counters of their own, which a scan compares. */
const sources: Source[] = [
  { name: 'user_added', moment: 'insert on users', user: 'id' },
  {
    name: 'user_changed',
    moment: 'update of role, email_folded, profile, had_coupon on users',
    user: 'id',
    condition: differs('role', 'email_folded', 'profile', 'had_coupon'),
  },
  { name: 'coupon_added', moment: 'insert on coupons', user: 'user_id', condition: 'new.user_id is not null' },
  {
    name: 'coupon_assigned',
    moment: 'update of user_id on coupons',
    user: 'user_id',
    condition: 'new.user_id is not null and old.user_id is distinct from new.user_id',
  },
  { name: 'details_added', moment: 'insert on payout_details', user: 'user_id' },
  { name: 'details_changed', moment: 'update on payout_details', user: 'user_id' },
  { name: 'invoice_added', moment: 'insert on invoices', user: 'user_id' },
];

async function followUsers(run: Run, engine: 'sqlite' | 'postgres'): Promise<void> {
  for (const { name, moment, user, condition = 'true' } of sources) {
    const change = `insert into risk_changes (user_id, version) values (new.${user}, 0)
      on conflict (user_id) do update set version = risk_changes.version + 1`;
    if (engine === 'sqlite') await run(`create trigger risk_${name} after ${moment} when ${condition} begin ${change}; end`);
    else {
      await run(`create function risk_${name}() returns trigger language plpgsql as $$ begin ${change}; return null; end $$`);
      await run(`create trigger risk_${name} after ${moment} for each row when (${condition}) execute function risk_${name}()`);
    }
  }
}
