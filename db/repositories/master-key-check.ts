import type { EntityManager } from 'typeorm';
import type { MasterKeyStore } from '../../domain/ports.ts';
import { keyProof } from '../entities/engine.ts';
import { webhooks } from '../entities/webhooks.ts';

export const sealingStore = (manager: EntityManager): MasterKeyStore => ({
  proof: async () => (await manager.findOneBy(keyProof, { id: 1 }))?.sealed ?? null,
  leaveProof: async (sealed) =>
    void (await manager.createQueryBuilder().insert().into(keyProof).values({ id: 1, sealed }).orIgnore().execute()),
  replaceProof: async (sealed) => void (await manager.upsert(keyProof, { id: 1, sealed }, ['id'])),
  setWebhookSecret: async (webhookId, encryptedSecret) => void (await manager.update(webhooks, { id: webhookId }, { encryptedSecret })),
});
