import type { Migration } from './migration.ts';

/** Mails are claimed by workers and tried several times. `next_at` is null once there is nothing left to do: sent, or given up. */
export const sendMailsInAttempts: Migration = {
  name: '20261115002100-send-mails-in-attempts',
  async up(run) {
    await run('alter table mails add column attempts bigint not null default 0');
    await run('alter table mails add column next_at bigint');
    await run('alter table mails add column leased_until bigint');
    await run("alter table mails add column last_error text not null default ''");
    await run('update mails set next_at = created_at where sent_at is null');
    await run('drop index mails_unsent');
    await run('create index mails_due on mails (next_at) where next_at is not null');
  },
};
