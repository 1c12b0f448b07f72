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
      it('is the one with the migrations, whatever the search path of the database is', async () => {
        const setPath = (path: string) => run([`do $$ begin execute format('alter database %I ${path}', current_database()); end $$`]);
        await run(['create schema other', 'create table other.payout_details (like public.payout_details including all)']);
        for (const path of ['other, public', 'public, pg_catalog']) {
          await setPath(`set search_path = ${path}`);
          const database = await engine.open({ url: shop.databaseUrl });
          const payees = await database.query(({ seals }) => seals.records('payee', 0, 10)).finally(() => database.close());
          expect(payees.length, path).to.equal(2);
          expect(await differencesFor(shop.databaseUrl), path).to.deep.equal([]);
        }
        await setPath('reset search_path');
        await run(['drop schema other cascade']);
      });

    if (engine.name === 'postgres')
      it('is the only one with this ledger: connections that were opened before a copy do not use it', async () => {
        await run(['create schema copied', 'create table copied.ledger_digests as select * from ledger_digests']);
        await run(['create schema foreigner', 'create table foreigner.ledger_digests (id bigint)']);
        const sentences = await differences();
        await run(['drop schema copied cascade', 'drop schema foreigner cascade']);
        expect(sentences.join('\n')).to.match(/schema copied.*it has a copy of this ledger/);
        expect(sentences.length).to.equal(1);
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
