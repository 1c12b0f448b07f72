import type { Migration } from './migration.ts';

/** A refused payout request no longer uses up its Idempotency-Key. */
export const deleteStoredRefusals: Migration = {
  name: '20261116000100-delete-stored-refusals',
  async up(run) {
    await run(`delete from idempotency_keys where answer like '%"kind":"refused"%'`);
  },
};
