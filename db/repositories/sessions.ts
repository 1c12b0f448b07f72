import { type EntityManager, LessThanOrEqual } from 'typeorm';
import type { SessionStore } from '../../domain/ports.ts';
import { sessions } from '../entities/sessions.ts';
import { selectJoined } from '../sql/json-select.ts';
import { projectionOf } from '../sql/projection.ts';
import { userProjection } from './users.ts';

export const sessionStore = (manager: EntityManager): SessionStore => ({
  byHash: (hash) => manager.findOneBy(sessions, { hash }),
  withUserByHash: async (hash) => {
    // By hand: every request of a signed-in browser reads its session with its user.
    const from = 'from sessions left join users on users.id = sessions.user_id where sessions.hash = $1';
    const [row] = await selectJoined(manager, { tables: { sessions: projection, users: userProjection }, from }, [hash]);
    return row?.sessions ? { session: row.sessions, user: row.users } : null;
  },
  insert: async (session) => void (await manager.insert(sessions, session)),
  remove: async (hash) => void (await manager.delete(sessions, { hash })),
  removeOf: async (userId) => void (await manager.delete(sessions, { userId })),
  removeExpired: async (now) => void (await manager.delete(sessions, { expiresAt: LessThanOrEqual(now) })),
});

const projection = projectionOf(sessions);
