import { type EntityManager, IsNull, Not } from 'typeorm';
import type { EncryptedKind, EncryptedText, MasterKeyStore, StoredKeyName } from '../../domain/master-key/store.ts';
import { storeConnections } from '../entities/connections.ts';
import { keyProof, storedKeys } from '../entities/engine.ts';
import { payoutBatches, payoutDetails } from '../entities/payouts.ts';
import { webhooks } from '../entities/webhooks.ts';
import { type Digests, waitForWritersWithoutKey } from './ledger-digests.ts';

export const sealingStore = (manager: EntityManager, digests: Digests): MasterKeyStore => ({
  proof: async () => (await manager.findOneBy(keyProof, { id: 1 }))?.sealed ?? null,
  leaveProof: async (sealed) =>
    void (await manager.createQueryBuilder().insert().into(keyProof).values({ id: 1, sealed }).orIgnore().execute()),
  replaceProof: async (sealed) => void (await manager.upsert(keyProof, { id: 1, sealed }, ['id'])),
  storedKey: async (name) => (await manager.findOneBy(storedKeys, { name }))?.sealed ?? null,
  leaveKey: async (name, sealed) => {
    if (name === 'sealing_key') await waitForWritersWithoutKey(manager);
    await manager.createQueryBuilder().insert().into(storedKeys).values({ name, sealed }).orIgnore().execute();
  },
  encrypted: (kind) => columns(manager, digests)[kind].all(),
  replaceEncrypted: (kind, id, text) => columns(manager, digests)[kind].replace(id, text),
});

interface EncryptedColumn {
  all(): Promise<EncryptedText[]>;
  replace(id: EncryptedText['id'], text: string): Promise<void>;
}

/** A test compares these with the columns of all entities. */
const columns = (manager: EntityManager, digests: Digests): Record<EncryptedKind, EncryptedColumn> => ({
  webhook_secret: {
    all: async () => (await manager.find(webhooks)).map(({ id, encryptedSecret: text }) => ({ id, text })),
    replace: async (id, text) => void (await manager.update(webhooks, { id }, { encryptedSecret: text })),
  },
  payout_details: {
    all: async () =>
      (await manager.findBy(payoutDetails, { encryptedDetails: Not(IsNull()) })).map(({ userId: id, encryptedDetails: text }) => ({
        id,
        text: text ?? '',
      })),
    replace: async (id, text) => {
      const userId = Number(id);
      await manager.update(payoutDetails, { userId }, { encryptedDetails: text });
      await digests.append('payee', await manager.findBy(payoutDetails, { userId }));
    },
  },
  payout_file: {
    all: async () => {
      const where = { encryptedFile: Not(IsNull()) };
      const files = await manager.find(payoutBatches, { where, select: { id: true, encryptedFile: true } });
      return files.map(({ id, encryptedFile: text }) => ({ id, text: text ?? '' }));
    },
    replace: async (id, text) => void (await manager.update(payoutBatches, { id: Number(id) }, { encryptedFile: text })),
  },
  store_secret: {
    all: async () =>
      (await manager.findBy(storeConnections, { encryptedSecret: Not(IsNull()) })).map(({ id, encryptedSecret: text }) => ({
        id,
        text: text ?? '',
      })),
    replace: async (id, text) => void (await manager.update(storeConnections, { id: String(id) }, { encryptedSecret: text })),
  },
  store_api_secret: {
    all: async () =>
      (await manager.findBy(storeConnections, { encryptedApiSecret: Not(IsNull()) })).map(({ id, encryptedApiSecret: text }) => ({
        id,
        text: text ?? '',
      })),
    replace: async (id, text) => void (await manager.update(storeConnections, { id: String(id) }, { encryptedApiSecret: text })),
  },
  visitor_key: keyColumn(manager, 'visitor_key'),
  sealing_key: keyColumn(manager, 'sealing_key'),
});

const keyColumn = (manager: EntityManager, name: StoredKeyName): EncryptedColumn => ({
  all: async () => (await manager.findBy(storedKeys, { name })).map(({ name: id, sealed: text }) => ({ id, text })),
  replace: async (id, text) => void (await manager.update(storedKeys, { name: id }, { sealed: text })),
});
