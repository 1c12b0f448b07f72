import type { EntityManager } from 'typeorm';
import type { MasterKeyStore, SettingStore } from '../../domain/ports.ts';
import { keyProof, settings, settingsVersion } from '../entities/engine.ts';
import { webhooks } from '../entities/webhooks.ts';
import { projectionOf } from '../sql/projection.ts';

export const settingStore = (manager: EntityManager): SettingStore => ({
  all: async () => ({ version: await version(manager), values: await storedSettings(manager) }),
  version: () => version(manager),
  set: async (path, value) => {
    if (value === null || value === undefined) await manager.delete(settings, { path });
    else await manager.upsert(settings, { path, value }, ['path']);
    await manager.increment(settingsVersion, { id: 1 }, 'version', 1);
  },
});

async function version(manager: EntityManager): Promise<number> {
  return (await manager.findOneByOrFail(settingsVersion, { id: 1 })).version;
}

const projection = projectionOf(settings);

/** By hand, for writes whose events go to webhooks (benchmark rows `ingest` and `request-payout`). */
export async function storedSettings(manager: EntityManager): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown>[] = await manager.query(`select ${projection.list()} from settings`);
  return Object.fromEntries(rows.map(projection.toObject).map(({ path, value }) => [path, value]));
}

export const sealingStore = (manager: EntityManager): MasterKeyStore => ({
  proof: async () => (await manager.findOneBy(keyProof, { id: 1 }))?.sealed ?? null,
  leaveProof: async (sealed) =>
    void (await manager.createQueryBuilder().insert().into(keyProof).values({ id: 1, sealed }).orIgnore().execute()),
  replaceProof: async (sealed) => void (await manager.upsert(keyProof, { id: 1, sealed }, ['id'])),
  setWebhookSecret: async (webhookId, encryptedSecret) => void (await manager.update(webhooks, { id: webhookId }, { encryptedSecret })),
});
