import { inspect } from 'node:util';
import { expect } from 'chai';
import { SqliteConnection } from '../../db/engine/sqlite/connection.ts';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { failureOf } from './gate.ts';
import { newCoupon, newKey, newUser, savedUser } from './samples.ts';

describe('a database', () => {
  forEachEngine((engine) => {
    const database = testFixture(() => engine.open());

    it('reports which engine it is, and answers a ping until it is closed', async () => {
      expect(database.engine).to.equal(engine.name);
      await database.ping();
      await database.close();
      await database.close();
      expect((await failureOf(database.ping())).message).to.match(/closed/);
    });

    it('reports a failed statement without the values that were sent', async () => {
      const insert = () => database.write(({ keys }) => keys.insert(newKey({ hash: 'very secret hash' })));
      await insert();
      const failure = await failureOf(insert());
      expect(failure.name).to.equal('DatabaseError');
      expect(failure.message).to.match(/unique/i);
      expect(inspect(failure, { depth: 5, showHidden: true })).not.to.contain('very secret hash');
    });

    it('rejects with the very error that a unit of work throws', async () => {
      const mine = new TypeError('mine');
      expect(await failureOf(database.write(() => Promise.reject(mine)))).to.equal(mine);
      expect(await failureOf(database.read(() => Promise.reject(mine)))).to.equal(mine);
    });

    it('never assigns an id a second time, not even that of a deleted newest row', async () => {
      const observer = await engine.observe(database.url);
      // Not those of events, which are numbered without gaps and for that never deleted.
      const inserts: Record<string, () => Promise<number>> = {
        users: () => savedUser(database),
        api_keys: async () => (await database.write(({ keys }) => keys.insert(newKey()))).id,
        coupons: () => database.write(({ couponTerms }) => couponTerms.insert(newCoupon(), null)),
        app_passwords: async () => {
          const userId = await savedUser(database);
          return database.write(({ appPasswords }) => appPasswords.insert({ userId, name: '', hash: '', createdAt: 1 }));
        },
      };
      for (const [table, insert] of Object.entries(inserts)) {
        const newest = await insert();
        await observer.query(`delete from ${table} where id = ${newest}`);
        expect(await insert(), table).to.be.greaterThan(newest);
      }
    });

    if (engine.name === 'sqlite')
      it('acknowledges a write when it is on the disk, and enforces foreign keys', async () => {
        const connection = await new SqliteConnection(database.url.slice('sqlite:'.length), 'writer', { migrations: [] }).open();
        const answers = await Promise.all(
          ['journal_mode', 'synchronous', 'foreign_keys'].map((name) => connection.query(`pragma ${name}`)),
        );
        expect(answers.flat()).to.deep.equal([{ journal_mode: 'wal' }, { synchronous: 2 }, { foreign_keys: 1 }]);
        await connection.close();
      });

    if (engine.name === 'sqlite')
      it('replaces a connection that cannot roll back, so that the next write finds no open transaction', async () => {
        const connection = await new SqliteConnection(database.url.slice('sqlite:'.length), 'writer', { migrations: [] }).open();
        const failing = connection.transaction(async (manager) => {
          await manager.query('ROLLBACK');
          throw new Error('changed my mind');
        });
        expect((await failureOf(failing)).message).to.equal('changed my mind');
        expect(await connection.transaction((manager) => manager.query('select 1 as one'))).to.deep.equal([{ one: 1 }]);
        await connection.close();
      });

    if (engine.name === 'postgres')
      it('continues when the server has dropped its connections', async () => {
        const observer = await engine.observe(database.url);
        const insert = async () => {
          await observer.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          );
        };
        const writing = database.write(async ({ users }) => {
          await insert();
          await users.insert(newUser({ login: 'lost' }));
        });
        await failureOf(writing);
        await savedUser(database, { login: 'kept' });
        await database.ping();
        await database.counters.hit('key:1', 60);
      });
  });
});
