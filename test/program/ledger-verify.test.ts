import { expect } from 'chai';
import { listSentences, verifyLedger } from '../../domain/verification/verify.ts';
import { disableIntegrityChecks } from '../support/disable-integrity-checks.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { changedPayout, requestedPayout } from './payouts.ts';
import { order } from './samples.ts';
import { Shop } from './shop.ts';

// Coupon 1 is TRAIL10; coupon 2, PEAK20, belongs to the parent. Order 2 is pending, order 3 cancelled, the others are granted, with shares.
// Payouts 1 and 2 were cancelled on the same day, payout 3 is paid and payout 4 pending. Adjustment 1 gave coupon 2 seven, adjustment 2 took two.
const ofOrder = (id: number): string => `(select min(movement) from ledger where order_id = ${id} and reason <> 'mla')`;
const firstRow = (where: string): string => `id = (select min(id) from ledger where ${where})`;
const cached = `update coupons set unpaid_minor = (select sum(amount_minor) from ledger where coupon_id = coupons.id and pool = 'unpaid')`;

const corruptions: Record<string, { statements: string[]; reported: string[] }> = {
  'doubled rows of a movement whose balance was adjusted': {
    statements: [`update ledger set amount_minor = amount_minor * 2 where movement = ${ofOrder(1)}`, cached],
    reported: ['Order 1 (coupon 1) should have 1000 in unpaid, but its movements add up to 2000.'],
  },
  'a changed commission of a granted order': {
    statements: ['update orders set commission_minor = commission_minor + 100 where order_id = 1'],
    reported: ['Order 1 (coupon 1) should have 1100 in unpaid, but its movements add up to 1000.'],
  },
  'a changed commission of a pending order': {
    statements: ['update orders set commission_minor = commission_minor - 1 where order_id = 2'],
    reported: ['Order 2 (coupon 1) should have 999 in pending_order, but its movements add up to 1000.'],
  },
  'a commission of a reversed order': {
    statements: ['update orders set commission_minor = 5 where order_id = 3'],
    reported: ['Order 3 (coupon 1) is reversed, but its commission is 5.'],
  },
  'an order that is granted although its commission was not moved': {
    statements: ["update orders set commission_status = 'granted' where order_id = 2"],
    reported: [
      'Order 2 (coupon 1) should have 0 in pending_order, but its movements add up to 1000.',
      'Order 2 (coupon 1) should have 1000 in unpaid, but its movements add up to 0.',
    ],
  },
  'an order credited to another coupon': {
    statements: ['update orders set coupon_id = 2 where order_id = 2'],
    reported: [
      'Order 2 (coupon 1) should have 0 in pending_order, but its movements add up to 1000.',
      'Order 2 (coupon 2) should have 1000 in pending_order, but its movements add up to 0.',
    ],
  },
  'a deleted order': {
    statements: ['delete from orders where order_id = 2'],
    reported: [
      'Row N of the ledger (movement M) is for order 2, which does not exist.',
      'Order 2 (coupon 1) should have 0 in pending_order, but its movements add up to 1000.',
    ],
  },
  'deleted movements of an order whose balance was adjusted': {
    statements: [`delete from ledger where movement = ${ofOrder(2)}`, 'update coupons set pending_order_minor = 0'],
    reported: ['Order 2 (coupon 1) should have 1000 in pending_order, but its movements add up to 0.'],
  },
  'a changed share of the parent': {
    statements: ['update order_shares set amount_minor = amount_minor + 1 where order_id = 1'],
    reported: ['The share of coupon 2 in order 1 should have 51 in unpaid, but its movements add up to 50.'],
  },
  'a deleted share': {
    statements: ['delete from order_shares where order_id = 4'],
    reported: ['The share of coupon 2 in order 4 should have 0 in unpaid, but its movements add up to 25.'],
  },
  'movements of a payout that name none': {
    statements: ['update ledger set payout_id = null where payout_id = 4'],
    reported: [
      'Row N of the ledger (movement M) has the reason "payout", but not exactly the order or payout that this reason needs.',
      'Payout 4 (coupon 1) should have 500 in pending_payout, but its movements add up to 0.',
      'Payout 4 (coupon 1) should have -500 in unpaid, but its movements add up to 0.',
      'Payout 4 of 500 (coupon 1) is pending, but has no movements.',
    ],
  },
  'movements of a payout that name another': {
    statements: ['update ledger set payout_id = 9999 where payout_id = 4'],
    reported: [
      'Row N of the ledger (movement M) is for payout 9999, which does not exist.',
      'Payout 9999 (coupon 1) should have 0 in pending_payout, but its movements add up to 500.',
      'Payout 4 (coupon 1) should have 500 in pending_payout, but its movements add up to 0.',
    ],
  },
  'a movement of an order that names a payout too': {
    statements: [`update ledger set payout_id = 3 where movement = ${ofOrder(2)}`],
    reported: ['Row N of the ledger (movement M) has the reason "order", but not exactly the order or payout that this reason needs.'],
  },
  'a paid payout with the status cancel': {
    statements: ["update payouts set status = 'cancel' where id = 3"],
    reported: [
      'Payout 3 (coupon 1) should have 0 in paid, but its movements add up to 1500.',
      'Payout 3 of 1500 (coupon 1) is cancel, but has a date of payment.',
    ],
  },
  'a paid payout without the time of payment': {
    statements: ['update payouts set paid_at = null where id = 3'],
    reported: ['Payout 3 of 1500 (coupon 1) is paid, but has no date of payment.'],
  },
  'amounts shifted from one cancelled payout to another': {
    statements: [
      'update payouts set amount_minor = amount_minor + 500 where id = 1',
      'update payouts set amount_minor = amount_minor - 500 where id = 2',
    ],
    reported: [
      'Row N of the ledger (movement M) moves another amount than payout 1 has.',
      'Row N of the ledger (movement M) moves another amount than payout 2 has.',
    ],
  },
  'a cancelled payout without movements': {
    statements: ['delete from ledger where payout_id = 1'],
    reported: ['Payout 1 of 1000 (coupon 1) is cancel, but has no movements.'],
  },
  'a changed adjustment': {
    statements: ['update adjustments set amount_minor = 9 where id = 1'],
    reported: ['Adjustment 1 (coupon 2) should have 9 in unpaid, but its movements add up to 7.'],
  },
  'an adjustment of another coupon': {
    statements: ['update adjustments set coupon_id = 1 where id = 2'],
    reported: [
      'Adjustment 2 (coupon 1) should have -2 in unpaid, but its movements add up to 0.',
      'Adjustment 2 (coupon 2) should have 0 in unpaid, but its movements add up to -2.',
    ],
  },
  'a deleted adjustment': {
    statements: ['delete from adjustments where id = 2'],
    reported: ['The ledger has adjustments of -2 in unpaid of coupon 2 that are not recorded as adjustments.'],
  },
  'an adjustment without its movement': {
    statements: ["delete from ledger where note = 'Adjustment 1'", cached],
    reported: ['Adjustment 1 (coupon 2) should have 7 in unpaid, but its movements add up to 0.'],
  },
  'a movement of an adjustment that names an order': {
    statements: ["update ledger set order_id = 1 where note = 'Adjustment 1'"],
    reported: ['Row N of the ledger (movement M) has the reason "adjustment", but not exactly the order or payout that this reason needs.'],
  },
  'an unknown pool': {
    statements: [`update ledger set pool = 'foo' where ${firstRow("pool = 'store'")}`],
    reported: ['Row N of the ledger (movement M) is in the pool "foo", which does not exist.'],
  },
  'both rows of a movement in one pool': {
    statements: [`update ledger set pool = 'store' where movement = ${ofOrder(2)}`],
    reported: ['The two rows of movement M do not agree: both are in one pool.'],
  },
  'one row of a movement on another coupon': {
    statements: [`update ledger set coupon_id = 2 where ${firstRow("pool = 'store'")}`],
    reported: ['The two rows of movement M do not agree: coupon.'],
  },
  'one row of a movement with another user, note and time': {
    statements: [`update ledger set user_id = 1, note = 'x', created_at = 7 where ${firstRow("pool = 'store'")}`],
    reported: ['The two rows of movement M do not agree: user, note, time.'],
  },
  'one row of a movement without its order': {
    statements: [`update ledger set order_id = null where ${firstRow("pool = 'store'")}`],
    reported: ['The two rows of movement M do not agree: order.'],
  },
  'rows of a deleted coupon': {
    statements: ['delete from coupons where id = 2'],
    reported: ['Row N of the ledger (movement M) is of coupon 2, which does not exist.'],
  },
  'rows without a reason': {
    statements: ["update ledger set reason = ''"],
    reported: ['Row N of the ledger (movement M) has the reason "", which does not exist.'],
  },
  'rows without a note': { statements: ["update ledger set note = ''"], reported: ['Row N of the ledger (movement M) has no note.'] },
  'rows of an unknown user': {
    statements: ['update ledger set user_id = 4711'],
    reported: ['Row N of the ledger (movement M) was caused by user 4711, who does not exist.'],
  },
  'a movement with a deleted row': {
    statements: [`delete from ledger where pool = 'store' and order_id = 2`],
    reported: ['Movement M has 1 rows that add up to 1000.'],
  },
  'balances that are not the sum of their movements': {
    statements: ['update coupons set unpaid_minor = 7, paid_minor = 1 where id = 1'],
    reported: [
      'Coupon 1 (TRAIL10): paid is stored as 1, but its movements add up to 1500.',
      'Coupon 1 (TRAIL10): unpaid is stored as 7, but its movements add up to 0.',
    ],
  },
  'counts of payouts that are not those of the payouts': {
    statements: ["update payout_days set count = count + 1, amount_minor = amount_minor + 20 where status = 'paid'"],
    reported: ['all', 'coupon 1', 'paid', 'user 2'].map(
      (whose) => `Payouts of ${whose} on 2026-11-02 that are paid: 2 (1520) are stored, but 1 (1500) exist.`,
    ),
  },
  'movements of more than two rows': {
    statements: [`update ledger set movement = ${ofOrder(2)} where order_id = 5 and reason <> 'mla'`],
    reported: ['Movement M has 4 rows that add up to 0.'],
  },
  'a movement that does not sum to zero': {
    statements: [`update ledger set amount_minor = amount_minor + 5 where ${firstRow("pool = 'store'")}`],
    reported: ['Movement M has 2 rows that add up to 5.'],
  },
};

onAnyEngine((engine) => {
  describe('verifyLedger', () => {
    const program = { multiLevelThousandths: [5000] };
    let template: string;
    before(async () => {
      template = await engine.freshUrl();
      const store = await Shop.open(engine, program, template);
      const above = await store.user('above');
      const trail = await store.affiliate('TRAIL10', { parent: above });
      await store.coupon('PEAK20', { userId: above });
      const record = (orderId: number, given = {}) => store.record(order({ orderId, couponId: trail.couponId, ...given }));
      await record(1);
      await record(2, { status: 'processing' });
      await record(3, { status: 'processing' });
      await record(3, { status: 'cancelled' });
      await changedPayout(store, await requestedPayout(store, trail), 'cancel');
      await record(4, { total: 5000 });
      await changedPayout(store, await requestedPayout(store, trail), 'cancel');
      await changedPayout(store, await requestedPayout(store, trail), 'paid');
      await record(5, { total: 5000 });
      await requestedPayout(store, trail);
      await store.adjust(2, 0.07);
      await store.adjust(2, -0.02);
      await store.close();
    });
    const shop = testFixture(async () => Shop.open(engine, program, await engine.copyUrl(template)));
    beforeEach(() => disableIntegrityChecks(engine, shop.observer));

    const verified = () => shop.database.read((db) => verifyLedger(db, { written: String }));
    const sentences = async () =>
      listSentences(await verified()).map((sentence) =>
        sentence.replace(/^Row \d+/, 'Row N').replace(/([Mm]ovement) \S+?(?=\)| has| do)/, '$1 M'),
      );

    it('reports nothing for a consistent database', async () => {
      expect(await sentences()).to.deep.equal([]);
    });

    it('lists the first fifty differences of a kind and counts the others', async () => {
      await shop.record(...Array.from({ length: 60 }, (_, index) => order({ orderId: 100 + index, couponId: 1 })));
      await shop.observer.query('update orders set commission_minor = 7 where order_id >= 100');
      const { total, wrongOrders } = await verified();
      // Each of them by its movements, by its amounts and rates, and by its share.
      expect([total, wrongOrders.length]).to.deep.equal([180, 51]);
      expect(wrongOrders.slice(-2)).to.deep.equal([
        'Order 149 (coupon 1) should have 7 in unpaid, but its movements add up to 1000.',
        'And 10 more like these.',
      ]);
    });

    for (const [what, { statements, reported }] of Object.entries(corruptions))
      it(`reports ${what}`, async () => {
        for (const sql of statements) await shop.observer.query(sql);
        expect(await sentences()).to.include.members(reported);
      });
  });
});
