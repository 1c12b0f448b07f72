import { bigint, entity, generatedId, nullable, text } from './columns.ts';

export const appPasswords = entity('app_passwords', {
  id: generatedId,
  userId: bigint('user_id'),
  name: text('name'),
  hash: text('hash'),
  createdAt: bigint('created_at'),
  lastUsedAt: nullable(bigint('last_used_at')),
});
