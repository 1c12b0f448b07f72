import type { EntityManager } from 'typeorm';
import type { LogoRepository } from '../../domain/brand/logo.ts';
import { logos } from '../entities/engine.ts';

const id = 1;

export const logoRepository = (manager: EntityManager): LogoRepository => ({
  find: async () => {
    const row = await manager.findOneBy(logos, { id });
    return row && { sha256: row.sha256, png: Buffer.from(row.png, 'base64') };
  },
  save: async ({ sha256, png }) => void (await manager.upsert(logos, { id, sha256, png: png.toString('base64') }, ['id'])),
  remove: async () => void (await manager.delete(logos, { id })),
});
