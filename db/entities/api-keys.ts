import type { Scope } from '../../generated/operations.ts';
import { bigint, entity, generatedId, hidden, list, nullable, text } from './columns.ts';

export const apiKeys = entity('api_keys', {
  id: generatedId,
  hash: hidden(text('hash')),
  prefix: text('prefix'),
  userId: bigint('user_id'),
  description: text('description'),
  scopes: list<Scope>('scopes'),
  createdBy: bigint('created_by'),
  createdAt: bigint('created_at'),
  lastUsedAt: nullable(bigint('last_used_at')),
  expiresDay: nullable(text('expires_day')),
  revokedAt: nullable(bigint('revoked_at')),
});
