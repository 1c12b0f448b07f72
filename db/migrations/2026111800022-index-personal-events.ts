import { migration } from './migration.ts';

export const indexPersonalEvents = migration('index-personal-events-2026111800022', async (run) => {
  // Erasure finds the events about a person. Those about orders, which are nearly all, are not in the index and cost nothing more.
  await run(`create index events_of_person on events (object_type, object_id)
    where object_type in ('user', 'registration', 'api_key', 'app_password', 'coupon')`);
});
