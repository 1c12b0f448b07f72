import { migration } from './migration.ts';

export const indexBalanceSources = migration('index-balance-sources-2026111900170', async (run) => {
  // What balances consist of is summed by coupon, and for the whole program.
  await run('drop index orders_awaiting_payment');
  await run(`create index orders_awaiting_payment on orders (coupon_id, commission_minor) where status = 'pending'`);
  await run(`create index ledger_of_forfeits on ledger (coupon_id, amount_minor) where reason = 'forfeit' and pool <> 'store'`);
});
