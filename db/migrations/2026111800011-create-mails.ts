import { migration } from './migration.ts';

export const createMails = migration('create-mails-2026111800011', async (run, { id }) => {
  // Mails are claimed by workers and tried several times. `next_at` is null once there is nothing left to do: sent, or given up.
  await run(`
    create table mails (
      id ${id},
      sender_name text not null,
      sender text not null,
      recipient_name text not null,
      recipient text not null,
      subject text not null,
      text text not null,
      html text not null,
      created_at bigint not null,
      sent_at bigint,
      attempts bigint not null default 0,
      next_at bigint,
      leased_until bigint,
      last_error text not null default ''
    )`);
  await run('create index mails_due on mails (next_at) where next_at is not null');
  // For `affiliate doctor` and every scrape of the metrics, which count failed mails among all there ever were.
  await run('create index mails_given_up on mails (id) where next_at is null and sent_at is null');
});
