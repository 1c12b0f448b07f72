import type { Migration } from './migration.ts';

const added = ['multi_level_minor', 'handed_over_minor'];
const balances = ['unpaid_minor', 'pending_order_minor', 'pending_payout_minor', 'paid_minor'];

/** What a coupon got as multi-level shares, and what the store bears for its hand-overs, so that a report can show what the pools consist of. */
export const keepSourcesOfBalances: Migration = {
  name: '20261116000700-keep-sources-of-balances',
  async up(run, { engine }) {
    for (const column of added) await run(`alter table coupons add column ${column} bigint not null default 0`);
    const moved = (amount: string, condition: string): string =>
      `coalesce((select sum(${amount}) from ledger where ledger.coupon_id = coupons.id and ${condition}), 0)`;
    await run(`update coupons set multi_level_minor = ${moved('-amount_minor', "pool = 'store' and reason = 'mla'")},
      handed_over_minor = ${moved('amount_minor', "pool = 'handed_over'")}`);
    await run(`create index orders_awaiting_payment on orders (commission_minor) where status = 'pending'`);
    await (engine === 'sqlite' ? keepInTable(run) : keepInView(run));
  },
};

type Run = Parameters<Migration['up']>[0];

async function keepInTable(run: Run): Promise<void> {
  for (const column of added) await run(`alter table program_standing add column ${column} bigint not null default 0`);
  await run(
    `update program_standing set ${added.map((column) => `${column} = (select coalesce(sum(${column}), 0) from coupons)`).join(', ')}`,
  );
  const columns = [...balances, ...added];
  const changes = {
    insert: (column: string) => `new.${column}`,
    update: (column: string) => `new.${column} - old.${column}`,
    delete: (column: string) => `-old.${column}`,
  };
  for (const [when, change] of Object.entries(changes)) {
    const moment = when === 'update' ? `update of ${columns.join(', ')}` : when;
    const sums = columns.map((column) => `${column} = ${column} + ${change(column)}`);
    await run(`drop trigger balances_${when}`);
    await run(`create trigger balances_${when} after ${moment} on coupons begin update program_standing set ${sums.join(', ')}; end`);
  }
}

const keepInView = (run: Run): Promise<unknown> =>
  run(`create or replace view program_standing as select
    count(distinct case when status = 'publish' then user_id end) as affiliates,
    count(case when status = 'publish' then user_id end) as coupons,
    ${[...balances, ...added].map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ')} from coupons`);
