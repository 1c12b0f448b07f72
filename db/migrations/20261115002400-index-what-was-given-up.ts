import type { Migration } from './migration.ts';

/** For `affiliate doctor` and every scrape of the metrics, which count failed mails and deliveries among all there ever were. */
export const indexWhatWasGivenUp: Migration = {
  name: '20261115002400-index-what-was-given-up',
  async up(run) {
    await run('create index mails_given_up on mails (id) where next_at is null and sent_at is null');
    await run("create index webhook_deliveries_given_up on webhook_deliveries (finished_at) where status = 'failed'");
  },
};
