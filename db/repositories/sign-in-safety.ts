import { type EntityManager, In, LessThan, MoreThan } from 'typeorm';
import { type DeviceRepository, maxDeviceFailures } from '../../domain/users/device.ts';
import type { SecondFactorRepository } from '../../domain/users/second-factor.ts';
import { devices, recoveryCodes, secondFactors } from '../entities/users.ts';

const notVoid = { failures: LessThan(maxDeviceFailures) };

export const deviceRepository = (manager: EntityManager): DeviceRepository => ({
  hasAny: (userId) => manager.existsBy(devices, { userId }),
  isValid: (hash, userId) => manager.existsBy(devices, { hash, userId, ...notVoid }),
  countFailure: async (hash, userId) => (await manager.increment(devices, { hash, userId, ...notVoid }, 'failures', 1)).affected === 1,
  undoFailure: async (hash, userId) => void (await manager.decrement(devices, { hash, userId, failures: MoreThan(0) }, 'failures', 1)),
  replaceHash: async (hash, newHash) => void (await manager.update(devices, { hash }, { hash: newHash })),
  save: async (device) => void (await manager.upsert(devices, device, ['hash', 'userId'])),
  removeOldest: async (userId, limit) => {
    const oldest = await manager.find(devices, { where: { userId }, order: { lastUsedAt: 'DESC', hash: 'ASC' }, skip: limit });
    if (oldest.length > 0) await manager.delete(devices, { userId, hash: In(oldest.map(({ hash }) => hash)) });
  },
  removeUnusedSince: async (at) => void (await manager.delete(devices, { lastUsedAt: LessThan(at) })),
});

export const secondFactorRepository = (manager: EntityManager): SecondFactorRepository => ({
  ofUser: (userId) => manager.findOneBy(secondFactors, { userId }),
  save: async (factor) => void (await manager.upsert(secondFactors, factor, ['userId'])),
  useStep: async (userId, step) =>
    (await manager.update(secondFactors, { userId, lastStep: LessThan(step) }, { lastStep: step })).affected === 1,
  remove: async (userId) => {
    await manager.delete(recoveryCodes, { userId });
    return (await manager.delete(secondFactors, { userId })).affected === 1;
  },
  countRecoveryCodes: (userId) => manager.countBy(recoveryCodes, { userId }),
  replaceRecoveryCodes: async (userId, hashes) => {
    await manager.delete(recoveryCodes, { userId });
    await manager.insert(
      recoveryCodes,
      hashes.map((hash) => ({ userId, hash })),
    );
  },
  useRecoveryCode: async (userId, hash) => (await manager.delete(recoveryCodes, { userId, hash })).affected === 1,
});
