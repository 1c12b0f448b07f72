import { EntitySchema } from 'typeorm';
import type { ApiKey } from '../../domain/keys/key.ts';
import { hidden, id, list, nullable, text, whole } from './columns.ts';

export interface ApiKeyRow extends ApiKey {
  hash: string;
}

export const apiKeys = new EntitySchema<ApiKeyRow>({
  name: 'api_keys',
  columns: {
    id,
    hash: hidden(text('hash')),
    prefix: text('prefix'),
    userId: whole('user_id'),
    description: text('description'),
    scopes: list('scopes'),
    createdBy: whole('created_by'),
    createdAt: whole('created_at'),
    lastUsedAt: nullable(whole('last_used_at')),
    expiresDay: nullable(text('expires_day')),
    revokedAt: nullable(whole('revoked_at')),
  },
});
