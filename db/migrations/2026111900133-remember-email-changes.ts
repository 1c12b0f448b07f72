import { migration } from './migration.ts';

/** For the risk signal `details_changed`. Null: not since then. */
export const rememberEmailChanges = migration('remember-email-changes-2026111900133', (run) =>
  run('alter table users add column email_changed_at bigint'),
);
