import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { findings, openSealedShop } from './sealed-shop.ts';
import type { Shop } from './shop.ts';

forEachEngine((engine) => {
  describe('what no digest and no page of a sealed ledger has', () => {
    let shop: Shop;
    before(async () => {
      shop = await openSealedShop(engine, await engine.freshUrl());
    });
    const run = (sql: string) => shop.observer.query<Record<string, unknown>>(sql);
    const cannotBe = (table: string): RegExp => new RegExp(`^1 row of the table ${table} cannot be of the service`);
    /** The head was stored before. */
    const found = async (attack: string, undo: string): Promise<string[]> => {
      const head = await shop.database.query(({ seals }) => seals.last());
      await run(attack);
      return findings(shop, head).finally(() => run(undo));
    };

    it('names a coupon that shows the code of another one', async () => {
      const sentences = await found("update coupons set code = 'PEAK20' where id = 1", "update coupons set code = 'TRAIL10' where id = 1");
      expect(sentences).to.deep.equal([
        'The owner, code and rates of coupon 1 is not what the service wrote last: its code is shown as PEAK20 and found as trail10.',
      ]);
    });

    it('accepts a code in another case', async () => {
      expect(
        await found("update coupons set code = 'Trail10' where id = 1", "update coupons set code = 'TRAIL10' where id = 1"),
      ).to.deep.equal([]);
    });

    it('names a store connection before all times', async () => {
      const copied = `insert into store_connections (id, platform, name, created_at) select 'other', platform, name, ${Number.MIN_SAFE_INTEGER} from store_connections`;
      const sentences = await found(copied, "delete from store_connections where id = 'other'");
      expect(sentences.join('\n')).to.match(cannotBe('store_connections'));
    });

    for (const scope of ['all', 'paid'])
      it(`names counts of payouts (${scope}) that a part which nothing reads makes up for`, async () => {
        const raise = (count: number) =>
          run(
            `update payout_days set count = count + ${count}, amount_minor = amount_minor + ${count} where scope = '${scope}' and status = 'paid'`,
          );
        await raise(5);
        const sentences = await found(
          `insert into payout_days (scope, scope_id, day, status, count, amount_minor)
           select scope, 999, day, status, -5, -5 from payout_days where scope = '${scope}' and status = 'paid'`,
          'delete from payout_days where scope_id = 999',
        );
        await raise(-5);
        expect(
          sentences.filter((sentence) => /^Payouts .* that are paid: 6 of \d+ are kept, 1 of \d+ were counted\.$/.test(sentence)).length,
        ).to.equal(1);
      });

    if (engine.name === 'sqlite')
      it('names an order without a number', async () => {
        const [order] = await run('select * from orders where order_id = 4');
        const columns = Object.keys(order ?? {}).filter((column) => column !== 'order_id');
        const values = columns.map((column) => (/^(percent_thousandths|fixed_\w+|commission_minor)$/.test(column) ? '0' : column));
        const copied = `insert into orders (order_id, ${columns.join(', ')}) select null, ${values.join(', ')} from orders where order_id = 4`;
        expect((await found(copied, 'delete from orders where order_id is null')).join('\n')).to.match(cannotBe('orders'));
      });

    const unreadable = {
      'a total beyond all numbers': '9223372036854775807',
      ...(engine.name === 'sqlite' && { 'a total of bytes': "x'61'" }),
    };
    for (const [what, value] of Object.entries(unreadable))
      it(`names an order with ${what}, which cannot be read`, async () => {
        const [order] = await run('select total_minor from orders where order_id = 4');
        const sentences = await found(
          `update orders set total_minor = ${value} where order_id = 4`,
          `update orders set total_minor = ${order?.['total_minor']} where order_id = 4`,
        );
        expect(sentences.join('\n')).to.match(cannotBe('orders'));
      });

    it('finds nothing once all is put right', async () => {
      expect(await findings(shop)).to.deep.equal([]);
    });
  });
});
