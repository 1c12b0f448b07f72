import { bigint, entity, json, primary, text } from './columns.ts';

export const idempotencyKeys = entity('idempotency_keys', {
  userId: primary(bigint('user_id')),
  operation: primary(text('operation')),
  key: primary(text('idempotency_key')),
  request: text('request'),
  answer: json<unknown>('answer'),
  createdAt: bigint('created_at'),
});
