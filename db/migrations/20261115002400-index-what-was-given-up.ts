import type { Migration } from './migration.ts';

/** Looked for by `affiliate doctor` and by every scrape of the metrics, among all mails and deliveries there ever were. */
export const indexWhatWasGivenUp: Migration = {
  name: '20261115002400-index-what-was-given-up',
  async up(run) {
    await run('create index mails_given_up on mails (id) where next_at is null and sent_at is null');
    await run("create index webhook_deliveries_given_up on webhook_deliveries (finished_at) where status = 'failed'");
  },
};
