import { type EntityManager, LessThanOrEqual } from 'typeorm';
import type { SessionStore } from '../../domain/ports.ts';
import type { Session } from '../../domain/sessions/session.ts';
import type { User } from '../../domain/users/user.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { sessions } from '../entities/sessions.ts';
import { toUser, userFields } from '../entities/user-columns.ts';
import { selectJoined } from '../sql/joined-select.ts';

export const sessionStore = (manager: EntityManager): SessionStore => ({
  byHash: (hash) => manager.findOneBy(sessions, { hash }),
  withUserByHash: (hash) => withUserByHash(manager, hash),
  insert: async (session) => {
    await manager.insert(sessions, session);
  },
  remove: async (hash) => {
    await manager.delete(sessions, { hash });
  },
  removeOf: async (userId) => {
    await manager.delete(sessions, { userId });
  },
  removeExpired: async (now) => {
    await manager.delete(sessions, { expiresAt: LessThanOrEqual(now) });
  },
});

// Hand-written: every request of a signed-in browser reads its session with its user.
async function withUserByHash(manager: EntityManager, hash: string): Promise<{ session: Session; user: User | null } | null> {
  const columns = { sessions: ['hash', 'user_id', 'csrf_token', 'created_at', 'expires_at'], users: userFields };
  const from = 'from sessions left join users on users.id = sessions.user_id where sessions.hash = $1';
  const [row] = await selectJoined(manager, { columns, from }, [hash]);
  if (!row) return null;
  const { user_id: userId, csrf_token: csrfToken, created_at: createdAt, expires_at: expiresAt } = row.sessions;
  const session = {
    hash,
    userId: toSafeInteger(userId),
    csrfToken: String(csrfToken),
    createdAt: toSafeInteger(createdAt),
    expiresAt: toSafeInteger(expiresAt),
  };
  return { session, user: row.users['id'] === null ? null : toUser(row.users) };
}
