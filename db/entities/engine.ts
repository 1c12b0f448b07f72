import { bigint, entity, json, nullable, primary, text } from './columns.ts';

// Tables of the service itself: settings, keys, counters.

/** On PostgreSQL alone. */
export const windowCounters = entity('window_counters', {
  name: primary(text('name')),
  count: bigint('count'),
  startedAt: bigint('started_at'),
  endsAt: bigint('ends_at'),
});

/** One row, with the id 1: a known text, encrypted with the master key of this database. */
export const keyProof = entity('key_proof', { id: primary(bigint('id')), sealed: text('sealed') });

/** Keys that hash or sign, encrypted with the master key. */
export const storedKeys = entity('stored_keys', { name: primary(text('name')), sealed: text('sealed') });

export const settings = entity('settings', { path: primary(text('path')), value: json<unknown>('value') });

/** One row, with the id 1. */
export const settingsVersion = entity('settings_version', { id: primary(bigint('id')), version: bigint('version') });

/** One row, with the id 1: the logo of the store, in base64. */
export const logos = entity('logos', { id: primary(bigint('id')), sha256: text('sha256'), png: text('png') });

export const idempotencyKeys = entity('idempotency_keys', {
  userId: primary(bigint('user_id')),
  operation: primary(text('operation')),
  key: primary(text('idempotency_key')),
  request: text('request'),
  answer: json<unknown>('answer'),
  createdAt: bigint('created_at'),
});

/** Previews that were shown to agents, by the hash of their token. */
export const confirmations = entity('confirmations', {
  hash: primary(text('hash')),
  userId: bigint('user_id'),
  keyId: bigint('key_id'),
  request: text('request'),
  expiresAt: bigint('expires_at'),
  usedAt: nullable(bigint('used_at')),
});
