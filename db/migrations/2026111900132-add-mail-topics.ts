import { migration } from './migration.ts';

/** Of mails about one topic at most one an hour is sent. */
export const addMailTopics = migration('add-mail-topics-2026111900132', async (run) => {
  await run('alter table mails add column topic text');
  await run('create index mails_of_topic on mails (topic, id) where topic is not null');
});
