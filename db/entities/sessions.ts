import { bigint, entity, primary, text } from './columns.ts';

export const sessions = entity('sessions', {
  hash: primary(text('hash')),
  userId: bigint('user_id'),
  csrfToken: text('csrf_token'),
  createdAt: bigint('created_at'),
  expiresAt: bigint('expires_at'),
});
