import { type EntityManager, IsNull, LessThanOrEqual, MoreThan } from 'typeorm';
import type { ConfirmationRepository } from '../../domain/confirmation.ts';
import { confirmations } from '../entities/engine.ts';

export const confirmationRepository = (manager: EntityManager): ConfirmationRepository => ({
  insert: async (confirmation) => void (await manager.insert(confirmations, { ...confirmation, usedAt: null })),
  use: async (hash, { userId, keyId, request }, now) => {
    const unused = { hash, userId, keyId, request, expiresAt: MoreThan(now), usedAt: IsNull() };
    return (await manager.update(confirmations, unused, { usedAt: now })).affected === 1;
  },
  release: async (hash) => void (await manager.update(confirmations, { hash }, { usedAt: null })),
  deleteExpired: async (now) => void (await manager.delete(confirmations, { expiresAt: LessThanOrEqual(now) })),
});
