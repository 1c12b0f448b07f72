import type { EntityManager } from 'typeorm';
import type { SettingRepository } from '../../domain/settings.ts';
import { settings, settingsVersion } from '../entities/engine.ts';

export const settingRepository = (manager: EntityManager): SettingRepository => ({
  all: async () => {
    const [current, stored] = await Promise.all([version(manager), manager.find(settings)]);
    return { version: current, values: Object.fromEntries(stored.map(({ path, value }) => [path, value])) };
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
