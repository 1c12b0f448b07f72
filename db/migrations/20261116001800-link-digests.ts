import type { Migration } from './migration.ts';

/** Each digest also marks the record as the change found it, so that two neighbours must fit. Null in the digests of before. */
export const linkDigests: Migration = {
  name: '20261116001800-link-digests',
  async up(run) {
    await run('alter table ledger_digests add column before_mark text');
  },
};
