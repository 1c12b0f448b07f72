import { expect } from 'chai';
import { databaseErrorKind } from '../../db/engine/database-error.ts';
import { openSqlite } from '../../db/engine/sqlite/storage.ts';
import { temporaryFolder } from '../support/postgres.ts';

const endless = 'with recursive numbers (n) as (select 1 union all select n + 1 from numbers) select count(*) as n from numbers';

describe('a read of SQLite that takes longer than the request timeout', () => {
  it('is interrupted as busy, and its connection serves the next read', async () => {
    const storage = await openSqlite(`${temporaryFolder('interrupt-')}/affiliate.sqlite`, { migrations: [], timeoutMs: 300 });
    for (const read of [storage.query, storage.read, storage.readHeavy]) {
      const error = await read((manager) => manager.query(endless)).then(
        () => undefined,
        (cause: unknown) => cause,
      );
      expect(databaseErrorKind(error), String(error)).to.equal('busy');
      expect(await read((manager) => manager.query('select 1 as one'))).to.deep.equal([{ one: 1 }]);
    }
    await storage.close();
  });
});
