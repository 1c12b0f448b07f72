import { migration } from './migration.ts';

export const indexPayoutEvents = migration('index-payout-events-2026111800018', async (run) => {
  // The history of a payout is read from its events. Events of other objects are not in the index, and cost nothing more.
  await run("create index events_of_payout on events (object_id, id) where object_type = 'payout'");
});
