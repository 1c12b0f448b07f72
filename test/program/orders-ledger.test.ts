import { expect } from 'chai';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';
import { failureOf } from '../db/gate.ts';
import { forEachEngine } from '../support/engines.ts';
import { order } from './samples.ts';
import { Shop } from './shop.ts';

forEachEngine((engine) => {
  describe('the ledger', () => {
    let shop: Shop;
    let couponId: number;
    let userId: number;
    beforeEach(async () => {
      shop = await Shop.open(engine);
      ({ couponId, userId } = await shop.affiliate('TRAIL10'));
      await shop.record(order({ orderId: 1, couponId }), order({ orderId: 2, couponId, status: 'processing' }));
    });

    const sentences = async () => listSentences(await shop.database.read((stores) => verifyLedger(stores, { written: String })));

    it('has two rows for each movement, with reason, order, user and note', async () => {
      shop.userId = userId;
      await shop.record(order({ orderId: 2, couponId, status: 'processing', total: 5000 }));
      const rows = await shop.observer.query<Record<string, unknown>>(
        'select pool, amount_minor, reason, order_id, payout_id, user_id, note, created_at, movement from ledger order by id',
      );
      const told = rows.map((row) => [
        row['pool'],
        Number(row['amount_minor']),
        row['reason'],
        Number(row['order_id']),
        Number(row['user_id']),
        row['note'],
      ]);
      expect(told).to.deep.equal([
        ['store', -1000, 'order_granted', 1, 0, 'Order 1 was cleared.'],
        ['unpaid', 1000, 'order_granted', 1, 0, 'Order 1 was cleared.'],
        ['store', -1000, 'order', 2, 0, 'Order 2 was recorded.'],
        ['pending_order', 1000, 'order', 2, 0, 'Order 2 was recorded.'],
        ['pending_order', -500, 'order_changed', 2, userId, 'Order 2 was changed.'],
        ['store', 500, 'order_changed', 2, userId, 'Order 2 was changed.'],
      ]);
      expect(new Set(rows.map((row) => row['movement'])).size).to.equal(3);
      expect(rows.every((row) => Number(row['created_at']) === shop.now && row['payout_id'] === null)).to.equal(true);
    });

    it('rejects movements of zero or less', async () => {
      const movement = {
        couponId,
        from: 'store',
        to: 'unpaid',
        reason: 'order',
        orderId: 1,
        payoutId: null,
        userId: 0,
        note: '',
        at: 0,
      } as const;
      for (const amount of [0, -1, Number.NaN]) {
        const failure = await failureOf(shop.database.write(({ ledger }) => ledger.append([{ ...movement, amount }])));
        expect(failure?.message).to.match(/amounts above zero/);
      }
    });

    it('has no wrong balances after ordinary movements', async () => {
      expect(await sentences()).to.deep.equal([]);
    });

    it('reports every balance that is not the sum of its movements', async () => {
      await shop.observer.query(`update coupons set unpaid_minor = 7, paid_minor = 1 where id = ${couponId}`);
      expect(await sentences()).to.deep.equal([
        `Coupon ${couponId} (TRAIL10): paid is kept as 1, but its movements sum to 0.`,
        `Coupon ${couponId} (TRAIL10): unpaid is kept as 7, but its movements sum to 1000.`,
      ]);
    });

    for (const change of ["update ledger set note = 'something else'", 'delete from ledger where order_id = 1'])
      it(`is append-only: the database rejects "${change}"`, async () => {
        const before = await shop.everything();
        const failure = await failureOf(shop.observer.query(change));
        expect(failure?.message).to.include('The ledger is only ever added to: its rows are neither changed nor deleted.');
        expect(await shop.everything()).to.equal(before);
      });

    if (engine.name === 'postgres')
      it('cannot be truncated', async () => {
        expect((await failureOf(shop.observer.query('truncate ledger')))?.message).to.include('The ledger is only ever added to');
      });
  });
});
