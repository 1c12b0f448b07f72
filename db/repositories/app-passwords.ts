import type { EntityManager } from 'typeorm';
import type { AppPasswordStore } from '../../domain/ports.ts';
import { appPasswords } from '../entities/app-passwords.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';

export const appPasswordStore = (manager: EntityManager): AppPasswordStore => ({
  ofUser: async (userId) => {
    if (!isId(userId)) return [];
    return manager.find(appPasswords, { select: { id: true, hash: true }, where: { userId }, order: { id: 'ASC' } });
  },
  insert: async (password) => {
    const { identifiers } = await manager.insert(appPasswords, password);
    return toSafeInteger(identifiers[0]?.id);
  },
});
