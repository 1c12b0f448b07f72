import type { EntityManager, EntitySchema, ObjectLiteral } from 'typeorm';
import type { EncryptedKind, EncryptedText, MasterKeyStore, StoredKeyName } from '../../domain/master-key/store.ts';
import { storeConnections } from '../entities/connections.ts';
import { keyProof, storedKeys } from '../entities/engine.ts';
import { payoutBatches, payoutDetails } from '../entities/payouts.ts';
import { webhooks } from '../entities/webhooks.ts';
import { changeConnection } from './connections.ts';
import { type Digests, waitForWritersWithoutKey } from './ledger-digests.ts';
import { ofUser, pageOfDetails } from './payout-details.ts';
import { setWebhookSecret } from './webhooks.ts';

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
  encrypted: (kind, after, limit) => columns(manager, digests)[kind].page(after, limit),
  replaceEncrypted: (kind, id, text) => columns(manager, digests)[kind].replace(id, text),
});

interface EncryptedColumn {
  page(after: EncryptedText['id'] | null, limit: number): Promise<EncryptedText[]>;
  replace(id: EncryptedText['id'], text: string): Promise<void>;
}

/** A test compares these with the columns of all entities. */
const columns = (manager: EntityManager, digests: Digests): Record<EncryptedKind, EncryptedColumn> => ({
  webhook_secret: {
    ...column(manager, webhooks, 'id', 'encryptedSecret'),
    replace: (id, text) => setWebhookSecret(manager, digests, Number(id), text),
  },
  payout_details: detailsColumn(manager, digests),
  payout_file: column(manager, payoutBatches, 'id', 'encryptedFile'),
  store_secret: {
    ...column(manager, storeConnections, 'id', 'encryptedSecret'),
    replace: (id, text) => changeConnection(manager, digests, String(id), { encryptedSecret: text }),
  },
  store_api_secret: {
    ...column(manager, storeConnections, 'id', 'encryptedApiSecret'),
    replace: (id, text) => changeConnection(manager, digests, String(id), { encryptedApiSecret: text }),
  },
  visitor_key: keyColumn(manager, 'visitor_key'),
  sealing_key: keyColumn(manager, 'sealing_key', () => digests.beginAgain()),
});

function column<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntitySchema<Row>,
  id: keyof Row & string,
  text: keyof Row & string,
): EncryptedColumn {
  return {
    page: async (after, limit) => {
      const rows: Row[] = await manager
        .createQueryBuilder(entity, 'row')
        .select([`row.${id}`, `row.${text}`])
        .where(`row.${text} is not null${after === null ? '' : ` and row.${id} > :after`}`, { after })
        .orderBy(`row.${id}`)
        .limit(limit)
        .getMany();
      return rows.map((row) => ({ id: row[id], text: row[text] }));
    },
    replace: async (of, replacement) => void (await manager.update(entity, { [id]: of } as never, { [text]: replacement } as never)),
  };
}

/** Payout details are digested. A page remembers what it read: the replacement is of that. */
function detailsColumn(manager: EntityManager, digests: Digests): EncryptedColumn {
  const { replace } = column(manager, payoutDetails, 'userId', 'encryptedDetails');
  return {
    page: async (after, limit) =>
      (await pageOfDetails(manager, digests, Number(after ?? Number.MIN_SAFE_INTEGER), limit)).map(({ userId: id, encryptedDetails }) => ({
        ...{ id, text: encryptedDetails ?? '' },
      })),
    replace: async (userId, encryptedDetails) => {
      const found = digests.found('payee', Number(userId)) ?? (await ofUser(manager, digests, Number(userId)));
      await replace(userId, encryptedDetails);
      if (found) await digests.append('payee', [{ ...found, encryptedDetails }]);
    },
  };
}

/** One row. */
const keyColumn = (manager: EntityManager, name: StoredKeyName, onReplaced = () => {}): EncryptedColumn => ({
  page: async (after) =>
    after === null ? (await manager.findBy(storedKeys, { name })).map(({ name: id, sealed: text }) => ({ id, text })) : [],
  replace: async (id, text) => {
    await manager.update(storedKeys, { name: id }, { sealed: text });
    onReplaced();
  },
});
