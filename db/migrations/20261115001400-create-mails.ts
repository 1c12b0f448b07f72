import type { Migration } from './migration.ts';

export const createMails: Migration = {
  name: '20261115001400-create-mails',
  async up(run, { id }) {
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
        sent_at bigint
      )`);
    await run('create index mails_unsent on mails (id) where sent_at is null');
  },
};
