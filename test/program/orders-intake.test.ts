import { expect } from 'chai';
import { databaseErrorKind } from '../../db/engine/database-error.ts';
import type { IncomingOrder } from '../../domain/orders/incoming.ts';
import { OrderIntake } from '../../domain/orders/intake.ts';
import { orderStatuses } from '../../domain/orders/order.ts';
import { forEachEngine } from '../support/engines.ts';
import { seededRandom } from '../support/random.ts';
import { expectConsistent } from './invariants.ts';
import { at, order } from './samples.ts';
import { Shop } from './shop.ts';

const intakeOf = (shop: Shop): OrderIntake =>
  new OrderIntake({
    storage: shop.database,
    recordingContext: () => ({ program: shop.program, now: shop.now, userId: 0, hashVisitor }),
    isDatabaseFailure: (error) => databaseErrorKind(error) !== null,
  });

function hashVisitor(visitor: string): string {
  if (visitor === 'a ghost') throw new Error('Ghosts have no hash.');
  return `hash of ${visitor}`;
}

/** New ones, the same again, changes of them and some that are refused, in an order of their own. */
function toldOrders(coupons: readonly number[]): IncomingOrder[] {
  const random = seededRandom(4711);
  return Array.from({ length: 150 }, () => {
    const orderId = 1 + random.below(50);
    const status = random.pick(orderStatuses);
    const couponId = random.below(15) === 0 ? 999_999 : (coupons[orderId % coupons.length] as number);
    return order({ orderId, couponId, status, total: 1000 + random.below(3) * 700, placedAt: at('2026-10-20T12:00:00Z') });
  });
}

async function shopOfTwo(engine: Parameters<typeof Shop.open>[0]): Promise<{ shop: Shop; coupons: number[] }> {
  const shop = await Shop.open(engine, { multiLevelThousandths: [5000] });
  const first = await shop.affiliate('FIRST');
  const second = await shop.affiliate('SECOND', { parent: first.userId });
  return { shop, coupons: [first.couponId, second.couponId] };
}

forEachEngine((engine) => {
  describe('orders that are told one by one', () => {
    it('at the same time come to the same as one after the other, outcome by outcome and cent by cent', async () => {
      const [alone, together] = [await shopOfTwo(engine), await shopOfTwo(engine)];
      const expected = [];
      for (const told of toldOrders(alone.coupons)) expected.push(...(await alone.shop.record(told)));
      const intake = intakeOf(together.shop);
      const outcomes = await Promise.all(toldOrders(together.coupons).map((told) => intake.record(told)));

      expect(outcomes).to.deep.equal(expected);
      expect(new Set(outcomes.map(({ outcome }) => outcome))).to.include.keys('recorded', 'changed', 'unchanged', 'refused');
      for (const [place, couponId] of together.coupons.entries())
        expect(await together.shop.balances(couponId)).to.deep.equal(await alone.shop.balances(alone.coupons[place] as number));
      expect(await together.shop.events()).to.deep.equal(await alone.shop.events());
      await expectConsistent(together.shop);
    });

    it('share transactions, and each is on the disk when its teller hears of it', async () => {
      const { shop, coupons } = await shopOfTwo(engine);
      const intake = intakeOf(shop);
      const before = shop.database.commits;
      const teller = async (orderId: number): Promise<void> => {
        await intake.record(order({ orderId, couponId: coupons[0] as number }));
        // A read sees what is committed, and nothing else.
        expect(await shop.database.read(({ orders }) => orders.byIds([orderId]))).to.have.length(1);
      };
      await Promise.all(Array.from({ length: 130 }, (_, index) => teller(index + 1)));
      // The first goes at once; of those that wait at most 64 go together.
      expect(shop.database.commits - before).to.equal(4);
    });

    it('keep their order also where one of them spoils a transaction, and it alone fails', async () => {
      const { shop, coupons } = await shopOfTwo(engine);
      const intake = intakeOf(shop);
      const told = (status: IncomingOrder['status'], given: Partial<IncomingOrder> = {}) =>
        intake.record(order({ orderId: 1, couponId: coupons[0] as number, status, ...given }));
      for (let round = 0; round < 5; round += 1) {
        const first = told('pending');
        const ghost = told('completed', { orderId: 2, visitor: 'a ghost' });
        const others = (['processing', 'on-hold', 'processing', 'completed'] as const).map((status) => told(status));
        const outcomes = await Promise.allSettled([first, ghost, ...others]);
        expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', ...Array(4).fill('fulfilled')]);
        expect((await shop.order(1)).status).to.equal('completed');
      }
      await expectConsistent(shop);
    });
  });
});
