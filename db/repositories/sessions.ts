import { type EntityManager, LessThanOrEqual } from 'typeorm';
import type { SessionStore } from '../../domain/ports.ts';
import { sessions } from '../entities/sessions.ts';

export const sessionStore = (manager: EntityManager): SessionStore => ({
  byHash: (hash) => manager.findOneBy(sessions, { hash }),
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
