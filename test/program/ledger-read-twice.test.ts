import { expect } from 'chai';
import { compareSchema } from '../../cli/commands/ledger.ts';
import { recordCoupon } from '../../domain/coupons/record.ts';
import { openSealingKey } from '../../domain/master-key/key-ownership.ts';
import { reencrypt } from '../../domain/master-key/rotate.ts';
import { forEachEngine } from '../support/engines.ts';
import { masterKey } from '../support/service.ts';
import { day, order } from './samples.ts';
import { findings, openSealedShop, savedDetails, sealed } from './sealed-shop.ts';
import type { Shop } from './shop.ts';

const otherKey = 'another master key of 32 characters';

forEachEngine((engine) => {
  describe('a sealed record that one statement of a transaction finds changed, and the next one does not', () => {
    const isSqlite = engine.name === 'sqlite';
    let shop: Shop;
    beforeEach(async () => {
      shop = await openSealedShop(engine, await engine.freshUrl());
    });
    const run = (sql: string) => shop.observer.query<Record<string, unknown>>(sql);
    const value = async (sql: string): Promise<unknown> => Object.values((await run(sql))[0] ?? {})[0];
    const rateOf = (id: number) => value(`select percent_thousandths from coupons where id = ${id}`);
    const changeCoupon = (coupon: Parameters<typeof recordCoupon>[1]) =>
      shop.database.write((transaction) =>
        recordCoupon(transaction, coupon, { program: shop.program, now: shop.now, userId: 0, transferBalance: true }),
      );
    /** The head was stored before; two days and seals later. */
    const found = async (head: Awaited<ReturnType<typeof sealed>>): Promise<string> => {
      for (const refunded of [0, 1000]) {
        shop.now += day;
        await shop.record(order({ orderId: 50, couponId: 1, total: 7000, refunded }));
        await sealed(shop);
      }
      return [...(await compareSchema(shop.database)), ...(await findings(shop, head, shop.now))].join('\n');
    };

    it('names a coupon whose rate a trigger puts back while it changes hands', async () => {
      const { userId } = await shop.affiliate('OTHER');
      const head = await sealed(shop, shop.now + 2000);
      const restore = 'update coupons set percent_thousandths = null where id = 2';
      await run('update coupons set percent_thousandths = 90000 where id = 2');
      if (isSqlite) await run(`create trigger other after insert on ledger begin ${restore}; end`);
      else {
        await run(`create function intrude() returns trigger language plpgsql as $$ begin ${restore}; return null; end $$`);
        await run('create trigger other after insert on ledger for each statement execute function intrude()');
      }
      await changeCoupon({ id: 2, code: 'PEAK20', userId });
      await run(isSqlite ? 'drop trigger other' : 'drop function intrude cascade');
      expect(Number(await rateOf(2))).to.equal(90_000);
      expect(await found(head)).to.match(
        /^The owner, code and rates of coupon 2 was changed past the service: what change \d of it found/m,
      );
    });

    if (!isSqlite)
      it('names a coupon whose rate a view shows to the first statement alone', async () => {
        const head = await sealed(shop, shop.now + 2000);
        const columns = (await run('select * from coupons limit 1')).flatMap((row) => Object.keys(row));
        const shown = columns.map((name) =>
          name === 'percent_thousandths' ? `case when id = 1 and nextval('seen') = 1 then 90000 else ${name} end as ${name}` : name,
        );
        const written = columns.filter((name) => name !== 'id');
        await run('create sequence seen');
        await run('alter table coupons rename to saved_coupons');
        await run(`create view coupons as select ${shown.join(', ')} from saved_coupons`);
        await run(`create function intrude() returns trigger language plpgsql as $$ begin
          update saved_coupons set (${written.join(', ')}) = row(${written.map((name) => `new.${name}`).join(', ')}) where id = new.id;
          return new; end $$`);
        await run('create trigger other instead of update on coupons for each row execute function intrude()');
        await changeCoupon({ id: 1, code: 'TRAIL10', discountAmount: 15_000 });
        for (const sql of ['drop view coupons', 'drop function intrude', 'drop sequence seen']) await run(sql);
        await run('alter table saved_coupons rename to coupons');
        expect(Number(await rateOf(1))).to.equal(90_000);
        expect(await found(head)).to.match(
          /^The owner, code and rates of coupon 1 was changed past the service: what change 2 of it found/m,
        );
      });

    it('names earlier payout details that are shown to a change of the master key', async () => {
      const earlier = await value('select encrypted_details from payout_details where user_id = 2');
      await savedDetails(shop, 2, 'new@paypal.example');
      const head = await sealed(shop, shop.now + 2000);
      // Until the first of them is written.
      await run('create table written (user_id bigint)');
      await run('alter table payout_details rename to saved_details');
      await run(`create view payout_details as select user_id, method, method_type,
        case when user_id = 2 and not exists (select 1 from written) then '${earlier}' else encrypted_details end as encrypted_details,
        updated_at from saved_details`);
      const write = `insert into written values (new.user_id);
        update saved_details set encrypted_details = new.encrypted_details where user_id = new.user_id;`;
      if (isSqlite) await run(`create trigger other instead of update on payout_details begin ${write} end`);
      else {
        await run(`create function intrude() returns trigger language plpgsql as $$ begin ${write} return new; end $$`);
        await run('create trigger other instead of update on payout_details for each row execute function intrude()');
      }
      await shop.database.write((transaction) => reencrypt(transaction, [masterKey, otherKey]));
      for (const sql of ['drop view payout_details', 'drop table written', ...(isSqlite ? [] : ['drop function intrude'])]) await run(sql);
      await run('alter table saved_details rename to payout_details');
      // Back to the key of the tests.
      shop.database.setSealingKey((text) => openSealingKey(text, otherKey));
      await shop.database.write((transaction) => reencrypt(transaction, [otherKey, masterKey]));
      shop.database.setSealingKey((text) => openSealingKey(text, masterKey));
      expect(await found(head)).to.match(/^The payout details of user 2 was changed past the service: what change 3 of it found/m);
    });

    it('finds nothing where nothing was changed past the service', async () => {
      const { userId } = await shop.affiliate('OTHER');
      const head = await sealed(shop, shop.now + 2000);
      await changeCoupon({ id: 2, code: 'PEAK20', userId, percentThousandths: 12_000 });
      await changeCoupon({ id: 2, code: 'peak20', discountAmount: 15_000 });
      for (const keys of [
        [masterKey, otherKey],
        [otherKey, masterKey],
      ] as const) {
        await shop.database.write((transaction) => reencrypt(transaction, keys));
        shop.database.setSealingKey((text) => openSealingKey(text, keys[1]));
      }
      expect(await found(head)).to.equal('');
    });
  });
});
