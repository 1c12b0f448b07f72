import { bigint, entity, primary, text } from './columns.ts';

// Tables that db/engine and db/migrations read and write themselves.

export const migrations = entity('migrations', { name: primary(text('name')), runAt: bigint('run_at') });

/** On PostgreSQL alone. */
export const windowCounters = entity('window_counters', {
  name: primary(text('name')),
  count: bigint('count'),
  startedAt: bigint('started_at'),
  endsAt: bigint('ends_at'),
});

/** One row, with the id 1: a known text, encrypted with the master key of this database. */
export const keyProof = entity('key_proof', { id: primary(bigint('id')), sealed: text('sealed') });
