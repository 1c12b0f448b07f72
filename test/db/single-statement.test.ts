import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { failureOf } from './gate.ts';
import { savedUser } from './samples.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('query, which runs a single statement', () => {
  forEachEngine((engine) => {
    const statements: string[] = [];
    const database = testFixture(() => engine.open({ onStatement: (sql) => statements.push(sql) }));
    const userId = async (id: number): Promise<number | undefined> => (await database.query(({ users }) => users.byId(id)))?.id;

    it('begins no transaction', async () => {
      const id = await savedUser(database);
      statements.length = 0;
      expect(await userId(id)).to.equal(id);
      expect(statements.map((sql) => sql.trim().slice(0, 6))).to.deep.equal(['select']);
    });

    it('refuses a second statement, which could see another state', async () => {
      const id = await savedUser(database);
      const refusal = await failureOf(database.query(async ({ users }) => [await users.byId(id), await users.byId(id)]));
      expect(refusal.message).to.match(/runs one statement: use `read`/);
      expect(await userId(id)).to.equal(id);
    });

    it('sees every commit that was acknowledged before, under concurrent writes', async () => {
      const ids = await Promise.all(upTo(40).map(async () => savedUser(database)));
      const seen = await Promise.all(
        upTo(40).map(async () => {
          const id = await savedUser(database);
          return (await userId(id)) === id;
        }),
      );
      expect([ids.length, seen.every(Boolean)]).to.deep.equal([40, true]);
    });

    it('that fails leaves the connection usable', async () => {
      const id = await savedUser(database);
      await (await engine.observe(database.url)).query('drop table payout_details');
      const outcomes = await Promise.allSettled(
        upTo(10).map((index) => (index % 2 ? database.query(({ payoutDetails }) => payoutDetails.ofUser(id)) : userId(id))),
      );
      expect(outcomes.map(({ status }) => status)).to.deep.equal(upTo(10).map((index) => (index % 2 ? 'rejected' : 'fulfilled')));
    });

    it('is completed before close resolves, and refused after it', async () => {
      const id = await savedUser(database);
      const reading = [userId(id), userId(id)];
      await database.close();
      expect(await Promise.all(reading)).to.deep.equal([id, id]);
      expect((await failureOf(userId(id))).message).to.match(/closed/);
    });
  });
});
