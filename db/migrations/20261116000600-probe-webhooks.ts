import type { Migration } from './migration.ts';

/** A webhook is disabled by the age of its first failure; until then its receiver only gets probes. */
export const probeWebhooks: Migration = {
  name: '20261116000600-probe-webhooks',
  async up(run) {
    await run('alter table webhook_health add column failing_since bigint');
    await run('alter table webhook_health add column next_probe_at bigint');
    // The first failure was not stored; the last attempt is the earliest moment that is known.
    await run('update webhook_health set failing_since = last_delivery_at where failures > 0');
  },
};
