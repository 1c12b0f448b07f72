import { expect } from 'chai';
import type { ApiKey, NewApiKey } from '../../domain/keys/key.ts';
import type { KeyFilter } from '../../domain/keys/repository.ts';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { newKey } from './samples.ts';

const today = '2026-11-15';

describe('the key store', () => {
  forEachEngine((engine) => {
    const statements: string[] = [];
    const database = testFixture(() => engine.open({ onStatement: (sql) => statements.push(sql) }));

    const saved = (key: Partial<NewApiKey> = {}): Promise<ApiKey> => database.write(({ keys }) => keys.insert(newKey(key)));
    const revoke = (id: number, at = 5000): Promise<boolean> => database.write(({ keys }) => keys.revoke(id, at));
    const byId = (id: number): Promise<ApiKey | null> => database.read(({ keys }) => keys.byId(id));
    const listed = async (filter: Partial<KeyFilter> = {}): Promise<number[]> =>
      (await database.read(({ keys }) => keys.page({ today, ...filter }, { page: 1, perPage: 10 }))).items.map(({ id }) => id);

    it('returns a key as inserted, without its hash', async () => {
      const { hash, ...visible } = newKey({ scopes: ['read', 'manage'], expiresDay: '2026-12-31' });
      const key = await saved({ hash, ...visible });
      expect(key).to.deep.equal({ ...visible, id: key.id, lastUsedAt: null, revokedAt: null });
      expect(await byId(key.id)).to.deep.equal(key);
      expect(await database.read(({ keys }) => keys.byHash(hash))).to.deep.equal(key);
      expect(await database.read(({ keys }) => keys.byHash(hash.toUpperCase()))).to.equal(null);
    });

    it('lists keys newest first, those of one moment by id', async () => {
      const [middle, oldest, newest, newestTwin] = [
        await saved({ createdAt: 2000 }),
        await saved({ createdAt: 1000 }),
        await saved({ createdAt: 3000 }),
        await saved({ createdAt: 3000 }),
      ];
      expect(await listed()).to.deep.equal([newestTwin.id, newest.id, middle.id, oldest.id]);
    });

    it('lists keys by status: a key is active on its last day, and a revoked key is not expired as well', async () => {
      const withoutEnd = await saved();
      const endsToday = await saved({ expiresDay: today });
      const ended = await saved({ expiresDay: '2026-11-14' });
      const revoked = await saved({ expiresDay: '2026-11-14' });
      await revoke(revoked.id);
      expect(await listed({ status: 'active' })).to.have.members([withoutEnd.id, endsToday.id]);
      expect(await listed({ status: 'expired' })).to.deep.equal([ended.id]);
      expect(await listed({ status: 'revoked' })).to.deep.equal([revoked.id]);
      expect(await listed({ status: 'active', userId: 2 })).to.deep.equal([]);
    });

    it('counts keys without selecting them when the page is past the end', async () => {
      await saved();
      const statementsFor = async (page: number): Promise<number> => {
        statements.length = 0;
        const answer = await database.read(({ keys }) => keys.page({ today }, { page, perPage: 1 }));
        expect(answer.total).to.equal(1);
        return statements.filter((sql) => sql.includes('api_keys')).length;
      };
      expect(await statementsFor(1)).to.equal(2);
      expect(await statementsFor(2)).to.equal(1);
    });

    it('reports success to one of 12 concurrent revocations', async () => {
      const { id } = await saved();
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => revoke(id)));
      expect(outcomes.filter(Boolean).length).to.equal(1);
    });

    it('records the last use, unless a use since the provided time is already recorded', async () => {
      const { id } = await saved();
      const touch = async (at: number, unlessSince: number): Promise<number | null | undefined> => {
        await database.write(({ keys }) => keys.touch([id], at, unlessSince));
        return (await byId(id))?.lastUsedAt;
      };
      expect(await touch(10_000, 5000)).to.equal(10_000);
      expect(await touch(12_000, 7000)).to.equal(10_000);
      expect(await touch(15_000, 10_000)).to.equal(15_000);
      await database.write(({ keys }) => keys.touch([1e30], 1, 0));
    });
  });
});
