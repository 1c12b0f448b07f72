import { EntitySchema } from 'typeorm';
import { id, nullable, text, whole } from './columns.ts';

export interface AppPasswordRow {
  id: number;
  userId: number;
  name: string;
  hash: string;
  createdAt: number;
  lastUsedAt: number | null;
}

export const appPasswords = new EntitySchema<AppPasswordRow>({
  name: 'app_passwords',
  columns: {
    id,
    userId: whole('user_id'),
    name: text('name'),
    hash: text('hash'),
    createdAt: whole('created_at'),
    lastUsedAt: nullable(whole('last_used_at')),
  },
});
