import { expect } from 'chai';
import { databaseErrorKind } from '../../db/engine/database-error.ts';
import type { IncomingOrder } from '../../domain/order-recording/incoming.ts';
import { OrderIntake } from '../../domain/order-recording/intake.ts';
import { orderStatuses } from '../../domain/orders/order.ts';
import { onAnyEngine } from '../support/engines.ts';
import { seededRandom } from '../support/random.ts';
import { expectConsistent } from './invariants.ts';
import { at, order } from './samples.ts';
import { Shop } from './shop.ts';

const createIntake = (shop: Shop): OrderIntake =>
  new OrderIntake({
    storage: shop.database,
    recordingContext: () => ({ program: shop.program, now: shop.now, userId: 0, hashVisitor }),
    isDatabaseFailure: (error) => databaseErrorKind(error) !== null,
  });

function hashVisitor(visitor: string): string {
  if (visitor === 'failing') throw new Error('This visitor cannot be hashed.');
  return `hash of ${visitor}`;
}

/** New, repeated, changed and rejected orders, shuffled. */
function sampleOrders(coupons: readonly number[]): IncomingOrder[] {
  const random = seededRandom(4711);
  return Array.from({ length: 150 }, () => {
    const orderId = 1 + random.below(50);
    const status = random.pick(orderStatuses);
    const couponId = random.below(15) === 0 ? 999_999 : (coupons[orderId % coupons.length] as number);
    return order({ orderId, couponId, status, total: 1000 + random.below(3) * 700, placedAt: at('2026-10-20T12:00:00Z') });
  });
}

async function shopWithTwoCoupons(engine: Parameters<typeof Shop.open>[0]): Promise<{ shop: Shop; coupons: number[] }> {
  const shop = await Shop.open(engine, { multiLevelThousandths: [5000] });
  const first = await shop.affiliate('FIRST');
  const second = await shop.affiliate('SECOND', { parent: first.userId });
  return { shop, coupons: [first.couponId, second.couponId] };
}

onAnyEngine((engine) => {
  describe('OrderIntake', () => {
    it('returns the same outcomes and balances for concurrent orders as for sequential ones', async () => {
      const [alone, together] = [await shopWithTwoCoupons(engine), await shopWithTwoCoupons(engine)];
      const expected = [];
      for (const one of sampleOrders(alone.coupons)) expected.push(...(await alone.shop.record(one)));
      const intake = createIntake(together.shop);
      const outcomes = await Promise.all(sampleOrders(together.coupons).map((one) => intake.record(one)));

      expect(outcomes).to.deep.equal(expected);
      expect(new Set(outcomes.map(({ outcome }) => outcome))).to.include.keys('recorded', 'changed', 'unchanged', 'refused');
      for (const [place, couponId] of together.coupons.entries())
        expect(await together.shop.balances(couponId)).to.deep.equal(await alone.shop.balances(alone.coupons[place] as number));
      expect(await together.shop.events()).to.deep.equal(await alone.shop.events());
      await expectConsistent(together.shop);
    });

    it('shares transactions, and resolves each order after its commit', async () => {
      const { shop, coupons } = await shopWithTwoCoupons(engine);
      const intake = createIntake(shop);
      const before = shop.database.commits;
      const recordAndRead = async (orderId: number): Promise<void> => {
        await intake.record(order({ orderId, couponId: coupons[0] as number }));
        // A read sees committed rows only.
        expect(await shop.database.read(({ orders }) => orders.byIds([orderId]))).to.have.length(1);
      };
      await Promise.all(Array.from({ length: 130 }, (_, index) => recordAndRead(index + 1)));
      // The first order is recorded at once; up to 64 of the waiting ones share a transaction.
      expect(shop.database.commits - before).to.equal(4);
    });

    it('keeps the order of calls when one of them fails its transaction, and rejects only that one', async () => {
      const { shop, coupons } = await shopWithTwoCoupons(engine);
      const intake = createIntake(shop);
      const record = (status: IncomingOrder['status'], given: Partial<IncomingOrder> = {}) =>
        intake.record(order({ orderId: 1, couponId: coupons[0] as number, status, ...given }));
      for (let round = 0; round < 5; round += 1) {
        const first = record('pending');
        const failing = record('completed', { orderId: 2, visitor: 'failing' });
        const others = (['processing', 'on-hold', 'processing', 'completed'] as const).map((status) => record(status));
        const outcomes = await Promise.allSettled([first, failing, ...others]);
        expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', ...Array(4).fill('fulfilled')]);
        expect((await shop.order(1)).status).to.equal('completed');
      }
      await expectConsistent(shop);
    });
  });
});
