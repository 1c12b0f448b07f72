import { expect } from 'chai';
import { failureOf } from '../db/gate.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { order } from './samples.ts';
import { Shop } from './shop.ts';

onAnyEngine((engine) => {
  describe('the ledger', () => {
    const shop = testFixture(() => Shop.open(engine));
    let couponId: number;
    let userId: number;
    beforeEach(async () => {
      ({ couponId, userId } = await shop.affiliate('TRAIL10'));
      await shop.record(order({ orderId: 1, couponId }), order({ orderId: 2, couponId, status: 'processing' }));
    });

    it('has two rows for each movement, with reason, order, user and note', async () => {
      shop.userId = userId;
      await shop.record(order({ orderId: 2, couponId, status: 'processing', total: 5000 }));
      await shop.record(order({ orderId: 2, couponId, total: 6000 }), order({ orderId: 1, couponId, status: 'cancelled' }));
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
        // The difference first, and then the whole amount.
        ['store', -100, 'order_changed', 2, userId, 'Order 2 was cleared.'],
        ['pending_order', 100, 'order_changed', 2, userId, 'Order 2 was cleared.'],
        ['pending_order', -600, 'order_granted', 2, userId, 'Order 2 was cleared.'],
        ['unpaid', 600, 'order_granted', 2, userId, 'Order 2 was cleared.'],
        ['unpaid', -1000, 'order_reversed', 1, userId, 'Order 1 was cancelled.'],
        ['store', 1000, 'order_reversed', 1, userId, 'Order 1 was cancelled.'],
      ]);
      expect(new Set(rows.map((row) => row['movement'])).size).to.equal(6);
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
  });
});
