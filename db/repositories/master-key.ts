import type { EntityManager, EntitySchema, ObjectLiteral } from 'typeorm';
import type { EncryptedKind, EncryptedText, MasterKeyRepository, StoredKeyName } from '../../domain/master-key/repository.ts';
import { storeConnections } from '../entities/connections.ts';
import { keyProof, storedKeys } from '../entities/engine.ts';
import { payoutBatches, payoutDetails } from '../entities/payouts.ts';
import { secondFactors } from '../entities/users.ts';
import { webhooks } from '../entities/webhooks.ts';

export const masterKeyRepository = (manager: EntityManager): MasterKeyRepository => ({
  proof: async () => (await manager.findOneBy(keyProof, { id: 1 }))?.sealed ?? null,
  leaveProof: async (sealed) =>
    void (await manager.createQueryBuilder().insert().into(keyProof).values({ id: 1, sealed }).orIgnore().execute()),
  replaceProof: async (sealed) => void (await manager.upsert(keyProof, { id: 1, sealed }, ['id'])),
  storedKey: async (name) => (await manager.findOneBy(storedKeys, { name }))?.sealed ?? null,
  leaveKey: async (name, sealed) =>
    void (await manager.createQueryBuilder().insert().into(storedKeys).values({ name, sealed }).orIgnore().execute()),
  encrypted: (kind, after, limit) => columns(manager)[kind].page(after, limit),
  replaceEncrypted: (kind, id, text) => columns(manager)[kind].replace(id, text),
});

interface EncryptedColumn {
  page(after: EncryptedText['id'] | null, limit: number): Promise<EncryptedText[]>;
  replace(id: EncryptedText['id'], text: string): Promise<void>;
}

/** A test compares these with the columns of all entities. */
const columns = (manager: EntityManager): Record<EncryptedKind, EncryptedColumn> => ({
  webhook_secret: column(manager, webhooks, 'id', 'encryptedSecret'),
  payout_details: column(manager, payoutDetails, 'userId', 'encryptedDetails'),
  payout_file: column(manager, payoutBatches, 'id', 'encryptedFile'),
  store_secret: column(manager, storeConnections, 'id', 'encryptedSecret'),
  store_api_secret: column(manager, storeConnections, 'id', 'encryptedApiSecret'),
  second_factor: column(manager, secondFactors, 'userId', 'encryptedSecret'),
  visitor_key: keyColumn(manager, 'visitor_key'),
  sealing_key: keyColumn(manager, 'sealing_key'),
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

/** One row. */
const keyColumn = (manager: EntityManager, name: StoredKeyName): EncryptedColumn => ({
  page: async (after) =>
    after === null ? (await manager.findBy(storedKeys, { name })).map(({ name: id, sealed: text }) => ({ id, text })) : [],
  replace: async (id, text) => void (await manager.update(storedKeys, { name: id }, { sealed: text })),
});
