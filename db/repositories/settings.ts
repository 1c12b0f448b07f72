import type { EntityManager } from 'typeorm';
import type { SettingRepository } from '../../domain/settings.ts';
import { settings, settingsVersion } from '../entities/engine.ts';
import { projectionOf } from '../sql/projection.ts';

export const settingRepository = (manager: EntityManager): SettingRepository => ({
  all: async () => {
    const [current, values] = await Promise.all([version(manager), storedSettings(manager)]);
    return { version: current, values };
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

const projection = projectionOf(settings);

const storedSettings = async (manager: EntityManager): Promise<Record<string, unknown>> =>
  readSettings(await manager.query(`select ${projection.list()} from settings`));

export const readSettings = (rows: readonly Record<string, unknown>[]): Record<string, unknown> =>
  Object.fromEntries(rows.map(projection.toObject).map(({ path, value }) => [path, value]));
