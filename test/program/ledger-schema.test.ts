import { expect } from 'chai';
import { compareSchema } from '../../cli/commands/ledger.ts';
import { type ClosableObserver, forEachEngine } from '../support/engines.ts';
import { schemaAttacks } from './schema-attacks.ts';
import { findings, openSealedShop } from './sealed-shop.ts';
import type { Shop } from './shop.ts';

forEachEngine((engine) => {
  describe('the schema of a sealed ledger', () => {
    let shop: Shop;
    let observer: ClosableObserver;
    before(async () => {
      shop = await openSealedShop(engine, await engine.freshUrl());
      observer = await engine.observe(shop.databaseUrl);
    });
    const run = async (statements: readonly string[]): Promise<void> => {
      for (const sql of statements) await observer.query(sql);
    };
    const differences = (): Promise<string[]> => shop.database.schemaDifferences();
    const withPages = (): Promise<string[]> => compareSchema(shop.database);
    /** Settings of a database count from the next connection on. */
    const differencesFor = async (url: string): Promise<string[]> => {
      const database = await engine.open({ url });
      return database.schemaDifferences().finally(() => database.close());
    };

    it('is that of the migrations', async () => {
      expect(await withPages()).to.deep.equal([]);
      expect(await findings(shop)).to.deep.equal([]);
    });

    for (const { what, of, [engine.name]: statements } of schemaAttacks)
      if (statements)
        it(`shows ${what}`, async () => {
          await run(statements.attack);
          const find = { settings: () => differencesFor(shop.databaseUrl), pages: withPages, schema: differences }[of ?? 'schema'];
          const sentences = await find().finally(() => run(statements.undo));
          for (const pattern of statements.found) expect(sentences.join('\n')).to.match(new RegExp(pattern.source, 'm'));
        });

    it('is that of the migrations again after the attacks were undone', async () => {
      expect(await withPages()).to.deep.equal([]);
      expect(await findings(shop)).to.deep.equal([]);
    });

    it('may have further tables, views, and indexes of columns', async () => {
      await run(['create table statistics (id bigint)', 'create view best as select * from orders']);
      await run(['create index orders_by_total on orders (total_minor)', 'create index latest on "orders" ("day" desc, order_id)']);
      expect(await differences()).to.deep.equal([]);
      await run(['drop index latest', 'drop index orders_by_total', 'drop view best', 'drop table statistics', 'analyze']);
      expect(await differences()).to.deep.equal([]);
    });

    if (engine.name === 'postgres')
      it('is compared by a role that may only read', async () => {
        const role = `reader_${process.pid}`;
        await run([`create role ${role} login`, `grant select on all tables in schema public to ${role}`]);
        const url = shop.databaseUrl.replace('//postgres:', `//${role}:`);
        const sentences = await differencesFor(url).finally(() => run([`drop owned by ${role}`, `drop role ${role}`]));
        expect(sentences).to.deep.equal([]);
      });
  });
});
