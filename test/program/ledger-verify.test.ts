import { expect } from 'chai';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';
import { forEachEngine } from '../support/engines.ts';
import { unseal } from '../support/unseal.ts';
import { changedPayout, requestedPayout } from './payouts.ts';
import { order } from './samples.ts';
import { Shop } from './shop.ts';

// Coupon 1 is TRAIL10 and coupon 2 PEAK20, of the affiliate above. Of the orders, 2 is pending, 3 was cancelled, and the others are granted,
// with shares. Of the payouts, 1 and 2 were cancelled, on the same day, 3 is paid and 4 pending.
const ofOrder = (id: number): string => `(select min(movement) from ledger where order_id = ${id} and reason <> 'mla')`;
const firstRow = (where: string): string => `id = (select min(id) from ledger where ${where})`;
const cached = `update coupons set unpaid_minor = (select sum(amount_minor) from ledger where coupon_id = coupons.id and pool = 'unpaid')`;

const meddlings: { what: string; by: string[]; told: string[] }[] = [
  {
    what: 'both rows of a movement doubled, and the balance with them',
    by: [`update ledger set amount_minor = amount_minor * 2 where movement = ${ofOrder(1)}`, cached],
    told: ['Order 1 (coupon 1) says 1000 in unpaid, but its movements put 2000 there.'],
  },
  {
    what: 'another commission of an order that is granted',
    by: ['update orders set commission_minor = commission_minor + 100 where order_id = 1'],
    told: ['Order 1 (coupon 1) says 1100 in unpaid, but its movements put 1000 there.'],
  },
  {
    what: 'another commission of an order that is pending',
    by: ['update orders set commission_minor = commission_minor - 1 where order_id = 2'],
    told: ['Order 2 (coupon 1) says 999 in pending_order, but its movements put 1000 there.'],
  },
  {
    what: 'a commission of an order that is reversed',
    by: ['update orders set commission_minor = 5 where order_id = 3'],
    told: ['Order 3 (coupon 1) is reversed, but its commission is 5.'],
  },
  {
    what: 'an order that is granted without its money having moved on',
    by: ["update orders set commission_status = 'granted' where order_id = 2"],
    told: [
      'Order 2 (coupon 1) says 0 in pending_order, but its movements put 1000 there.',
      'Order 2 (coupon 1) says 1000 in unpaid, but its movements put 0 there.',
    ],
  },
  {
    what: 'an order credited to another coupon',
    by: ['update orders set coupon_id = 2 where order_id = 2'],
    told: [
      'Order 2 (coupon 1) says 0 in pending_order, but its movements put 1000 there.',
      'Order 2 (coupon 2) says 1000 in pending_order, but its movements put 0 there.',
    ],
  },
  {
    what: 'an order that is gone',
    by: ['delete from orders where order_id = 2'],
    told: [
      'Row N of the ledger (movement M) is for order 2, which there is not.',
      'Order 2 (coupon 1) says 0 in pending_order, but its movements put 1000 there.',
    ],
  },
  {
    what: 'the movements of an order gone, and the balance with them',
    by: [`delete from ledger where movement = ${ofOrder(2)}`, 'update coupons set pending_order_minor = 0'],
    told: ['Order 2 (coupon 1) says 1000 in pending_order, but its movements put 0 there.'],
  },
  {
    what: 'another share of the affiliate above',
    by: ['update order_shares set amount_minor = amount_minor + 1 where order_id = 1'],
    told: ['The share of coupon 2 in order 1 says 51 in unpaid, but its movements put 50 there.'],
  },
  {
    what: 'a share that is gone',
    by: ['delete from order_shares where order_id = 4'],
    told: ['The share of coupon 2 in order 4 says 0 in unpaid, but its movements put 25 there.'],
  },
  {
    what: 'movements of a payout that name none',
    by: ['update ledger set payout_id = null where payout_id = 4'],
    told: [
      'Row N of the ledger (movement M) has the reason "payout" with no order and no payout; a payout alone belongs there.',
      'Payout 4 (coupon 1) says 500 in pending_payout, but its movements put 0 there.',
      'Payout 4 (coupon 1) says -500 in unpaid, but its movements put 0 there.',
      'Payout 4 of 500 (coupon 1) is pending, but has no movements.',
    ],
  },
  {
    what: 'movements of a payout that name another',
    by: ['update ledger set payout_id = 9999 where payout_id = 4'],
    told: [
      'Row N of the ledger (movement M) is for payout 9999, which there is not.',
      'Payout 9999 (coupon 1) says 0 in pending_payout, but its movements put 500 there.',
      'Payout 4 (coupon 1) says 500 in pending_payout, but its movements put 0 there.',
    ],
  },
  {
    what: 'a movement of an order that names a payout too',
    by: [`update ledger set payout_id = 3 where movement = ${ofOrder(2)}`],
    told: ['Row N of the ledger (movement M) has the reason "order" with order 2 and payout 3; an order alone belongs there.'],
  },
  {
    what: 'a payout that was paid and says that it was cancelled',
    by: ["update payouts set status = 'cancel' where id = 3"],
    told: [
      'Payout 3 (coupon 1) says 0 in paid, but its movements put 1500 there.',
      'Payout 3 of 1500 (coupon 1) is cancel, but says when it was paid.',
    ],
  },
  {
    what: 'a payout that does not say when it was paid',
    by: ['update payouts set paid_at = null where id = 3'],
    told: ['Payout 3 of 1500 (coupon 1) is paid, but does not say when it was paid.'],
  },
  {
    what: 'amounts shifted from one cancelled payout to another',
    by: [
      'update payouts set amount_minor = amount_minor + 500 where id = 1',
      'update payouts set amount_minor = amount_minor - 500 where id = 2',
    ],
    told: [
      'Row N of the ledger (movement M) moves -1000 for payout 1, which is one of 1500.',
      'Row N of the ledger (movement M) moves 1500 for payout 2, which is one of 1000.',
    ],
  },
  {
    what: 'a cancelled payout whose movements are gone',
    by: ['delete from ledger where payout_id = 1'],
    told: ['Payout 1 of 1000 (coupon 1) is cancel, but has no movements.'],
  },
  {
    what: 'a pool that there is not',
    by: [`update ledger set pool = 'foo' where ${firstRow("pool = 'store'")}`],
    told: ['Row N of the ledger (movement M) is in the pool "foo", which there is not.'],
  },
  {
    what: 'both rows of a movement in one pool',
    by: [`update ledger set pool = 'store' where movement = ${ofOrder(2)}`],
    told: ['The two rows of movement M do not agree: both are in one pool.'],
  },
  {
    what: 'one row of a movement on another coupon',
    by: [`update ledger set coupon_id = 2 where ${firstRow("pool = 'store'")}`],
    told: ['The two rows of movement M do not agree: coupon.'],
  },
  {
    what: 'one row of a movement with another user, note and time',
    by: [`update ledger set user_id = 1, note = 'x', created_at = 7 where ${firstRow("pool = 'store'")}`],
    told: ['The two rows of movement M do not agree: user, note, time.'],
  },
  {
    what: 'one row of a movement without its order',
    by: [`update ledger set order_id = null where ${firstRow("pool = 'store'")}`],
    told: ['The two rows of movement M do not agree: order.'],
  },
  {
    what: 'rows of a coupon that is gone',
    by: ['delete from coupons where id = 2'],
    told: ['Row N of the ledger (movement M) is of coupon 2, which there is not.'],
  },
  {
    what: 'rows that no longer have a reason',
    by: ["update ledger set reason = ''"],
    told: ['Row N of the ledger (movement M) has the reason "", which there is not.'],
  },
  {
    what: 'rows that do not say why',
    by: ["update ledger set note = ''"],
    told: ['Row N of the ledger (movement M) does not say why.'],
  },
  {
    what: 'rows of a user whom there is not',
    by: ['update ledger set user_id = 4711'],
    told: ['Row N of the ledger (movement M) was caused by user 4711, whom there is not.'],
  },
  {
    what: 'a movement of which one row is gone',
    by: [`delete from ledger where pool = 'store' and order_id = 2`],
    told: ['Movement M has 1 rows that sum to 1000.'],
  },
];

forEachEngine((engine) => {
  describe('verifying the ledger', () => {
    let shop: Shop;
    beforeEach(async () => {
      shop = await Shop.open(engine, { multiLevelThousandths: [5000] });
      const above = await shop.user('above');
      const trail = await shop.affiliate('TRAIL10', { parent: above });
      await shop.coupon('PEAK20', { userId: above });
      const record = (orderId: number, given = {}) => shop.record(order({ orderId, couponId: trail.couponId, ...given }));
      await record(1);
      await record(2, { status: 'processing' });
      await record(3, { status: 'processing' });
      await record(3, { status: 'cancelled' });
      await changedPayout(shop, await requestedPayout(shop, trail), 'cancel');
      await record(4, { total: 5000 });
      await changedPayout(shop, await requestedPayout(shop, trail), 'cancel');
      await changedPayout(shop, await requestedPayout(shop, trail), 'paid');
      await record(5, { total: 5000 });
      await requestedPayout(shop, trail);
      await unseal(engine, shop.observer);
    });

    const verified = () => shop.database.read((stores) => verifyLedger(stores, String));
    const sentences = async () =>
      listSentences(await verified()).map((sentence) =>
        sentence.replace(/^Row \d+/, 'Row N').replace(/([Mm]ovement) \S+?(?=\)| has| do)/, '$1 M'),
      );

    it('finds nothing where nobody meddled', async () => {
      expect(await sentences()).to.deep.equal([]);
    });

    it('tells the first fifty of a kind and counts the others', async () => {
      await shop.record(...Array.from({ length: 60 }, (_, index) => order({ orderId: 100 + index, couponId: 1 })));
      await shop.observer.query('update orders set commission_minor = 7 where order_id >= 100');
      const { total, wrongOrders } = await verified();
      expect([total, wrongOrders.length]).to.deep.equal([60, 51]);
      expect(wrongOrders.slice(-2)).to.deep.equal([
        'Order 149 (coupon 1) says 7 in unpaid, but its movements put 1000 there.',
        'And 10 more like these.',
      ]);
    });

    for (const { what, by, told } of meddlings)
      it(`finds ${what}`, async () => {
        for (const sql of by) await shop.observer.query(sql);
        expect(await sentences()).to.include.members(told);
      });
  });
});
