import { EntitySchema } from 'typeorm';
import type { Session } from '../../domain/sessions/session.ts';
import { text, whole } from './columns.ts';

export const sessions = new EntitySchema<Session>({
  name: 'sessions',
  columns: {
    hash: { ...text('hash'), primary: true },
    userId: whole('user_id'),
    csrfToken: text('csrf_token'),
    createdAt: whole('created_at'),
    expiresAt: whole('expires_at'),
  },
});
