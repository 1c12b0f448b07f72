import type { EntityManager } from 'typeorm';
import type { SettingStore } from '../../domain/ports.ts';
import { settings, settingsVersion } from '../entities/settings.ts';

export const settingStore = (manager: EntityManager): SettingStore => ({
  all: async () => {
    const rows = await manager.find(settings);
    return { version: await version(manager), values: Object.fromEntries(rows.map(({ path, value }) => [path, value])) };
  },
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
