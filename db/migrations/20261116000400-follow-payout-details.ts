import type { Migration } from './migration.ts';

/** From now on pending payouts follow the payee's details. */
export const followPayoutDetails: Migration = {
  name: '20261116000400-follow-payout-details',
  async up(run) {
    await run(`
      update payouts
      set method = saved.method, method_type = saved.method_type, has_details = case when saved.encrypted_details is null then 0 else 1 end
      from payout_details as saved
      where saved.user_id = payouts.user_id and payouts.status = 'pending'`);
  },
};
