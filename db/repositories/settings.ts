import type { EntityManager } from 'typeorm';
import type { SettingStore } from '../../domain/ports.ts';
import { settings, settingsVersion } from '../entities/engine.ts';
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
