import type { Migration } from './migration.ts';

export const createPayoutDetails: Migration = {
  name: '20261115001500-create-payout-details',
  async up(run) {
    await run(`
      create table payout_details (
        user_id bigint primary key references users (id) on delete cascade,
        method text not null,
        method_type text not null,
        encrypted_details text,
        updated_at bigint not null
      )`);
  },
};
