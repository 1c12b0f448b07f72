import { Writable } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import { type IncomingOrder, withLastVersions } from '../../domain/order-recording/incoming.ts';
import { clearDueCommissions, startCommissionClearing } from '../../server/jobs/commission-clearing-job.ts';
import { openSettings } from '../../server/site.ts';
import { failureOf } from '../db/gate.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { TestClock } from '../support/service.ts';
import { expectConsistent } from './invariants.ts';
import { day, order } from './samples.ts';
import { Shop } from './shop.ts';

onAnyEngine((engine) => {
  describe('commission with clearing days', () => {
    const shop = testFixture(() => Shop.open(engine, { clearingDays: 14 }));
    let couponId: number;
    beforeEach(async () => {
      ({ couponId } = await shop.affiliate('TRAIL10'));
    });
    afterEach(() => expectConsistent(shop));

    const fresh = (orderId: number, given = {}) => order({ orderId, couponId, placedAt: shop.now, ...given });

    it('is pending until the clearing days are over, and granted then', async () => {
      await shop.record(fresh(1));
      expect(await shop.balances(couponId)).to.deep.equal([1000, 0, 0, 0]);
      shop.now += 14 * day - 1;
      expect(await shop.grant()).to.equal(0);
      shop.now += 1;
      expect(await shop.grant()).to.equal(1);
      expect(await shop.grant()).to.equal(0);
      expect(await shop.balances(couponId)).to.deep.equal([0, 1000, 0, 0]);
      expect(await shop.order(1)).to.include({ commissionStatus: 'granted', grantedAt: shop.now });
      expect((await shop.events('commission_added')).map(({ data, userId }) => [data?.['note'], userId])).to.deep.equal([
        ['Order 1 was cleared.', 0],
      ]);
    });

    it('is granted for completed orders only', async () => {
      const waiting = ['pending', 'processing', 'on-hold', 'cancelled', 'failed', 'refunded'] as const;
      await shop.record(...waiting.map((status, index) => fresh(index + 1, { status })));
      shop.now += 100 * day;
      expect(await shop.grant()).to.equal(0);
    });

    it('waits for the clearing days after the update that completed the order', async () => {
      const placedAt = shop.now;
      const update = (status: 'processing' | 'completed') => shop.record(fresh(1, { status, placedAt, total: 10_000 }));
      await update('processing');
      shop.now += 100 * day;
      await update('completed');
      expect(await shop.order(1)).to.include({ commissionStatus: 'pending', dueAt: shop.now + 14 * day });
      // Neither another update nor completing it once more starts them again.
      shop.now += 10 * day;
      await shop.record(fresh(1, { status: 'completed', placedAt, total: 20_000 }));
      expect(await shop.order(1)).to.include({ dueAt: shop.now + 4 * day });
      await update('processing');
      await update('completed');
      shop.now += 4 * day - 1;
      expect(await shop.grant()).to.equal(0);
      shop.now += 1;
      expect(await shop.grant()).to.equal(1);
      expect(await shop.order(1)).to.include({ commissionStatus: 'granted', grantedAt: shop.now });
    });

    it('waits anew where the order is completed after a reversal: cancelled, or refunded in full', async () => {
      const placedAt = shop.now;
      const update = (changed: object) => shop.record(fresh(1, { placedAt, ...changed }));
      for (const reversal of [{ status: 'cancelled' }, { refunded: 10_000 }]) {
        await update({});
        shop.now += 10 * day;
        await update(reversal);
        await update({ status: 'processing' });
        await update({});
        expect(await shop.order(1)).to.include({ commissionStatus: 'pending', dueAt: shop.now + 14 * day });
      }
    });

    it('is granted in time although the shop sends all versions of the order again and again', async () => {
      const versions = [fresh(1, { status: 'processing' }), fresh(1)];
      expect(await shop.outcomes(...versions)).to.deep.equal(['recorded', 'changed']);
      for (let sent = 0; sent < 3; sent += 1) {
        shop.now += 4 * day;
        expect(await shop.outcomes(...withLastVersions(versions))).to.deep.equal(['unchanged', 'unchanged']);
        // One by one the first is a change, which the second takes back.
        for (const version of versions) expect(await shop.outcomes(version)).to.deep.equal(['changed']);
        expect(await shop.grant()).to.equal(0);
      }
      shop.now += 2 * day;
      expect(await shop.grant()).to.equal(1);
    });

    it('begins with the first completion in a list of versions that ends as the order was stored', async () => {
      const versions = [fresh(1), fresh(1, { status: 'processing' })];
      await shop.record(fresh(1, { status: 'processing' }));
      expect(await shop.outcomes(...withLastVersions(versions))).to.deep.equal(['changed', 'changed']);
      expect(await shop.order(1)).to.include({ status: 'processing', commissionStatus: 'pending', hasCompleted: true });
      expect(await shop.outcomes(...withLastVersions(versions))).to.deep.equal(['unchanged', 'unchanged']);
      shop.now += 14 * day;
      await shop.record(versions[0] as IncomingOrder);
      expect(await shop.order(1)).to.include({ commissionStatus: 'granted', grantedAt: shop.now });
    });

    it('of an old order is granted as of its due date', async () => {
      await shop.record(fresh(1, { placedAt: shop.now - 20 * day }));
      expect(await shop.order(1)).to.include({ commissionStatus: 'granted', grantedAt: shop.now - 6 * day });
    });

    it('is granted in batches, the longest overdue first, and the figures get a new version', async () => {
      await shop.record(...[3, 1, 2].map((orderId) => fresh(orderId, { placedAt: shop.now - orderId })));
      const version = async () => (await shop.database.read(({ figures }) => figures.snapshotsOf([couponId]))).get(couponId)?.version;
      const before = await version();
      shop.now += 14 * day;
      expect(await shop.grant(2)).to.equal(2);
      expect((await shop.events('commission_added')).map(({ objectId }) => objectId)).to.deep.equal([3, 2]);
      expect(await version()).to.equal((before ?? 0) + 1);
    });

    it('is granted once by eight concurrent callers', async () => {
      await shop.record(...Array.from({ length: 60 }, (_, index) => fresh(index + 1)));
      shop.now += 14 * day;
      const all = async (): Promise<number> => {
        let sum = 0;
        for (let granted = -1; granted !== 0; sum += granted) granted = await shop.grant(7);
        return sum;
      };
      const sums = await Promise.all(Array.from({ length: 8 }, all));
      // A caller that finds the lock taken returns at once, so some orders may be left for the next call.
      expect(sums.reduce((one, other) => one + other, 0) + (await all())).to.equal(60);
      expect(await shop.balances(couponId)).to.deep.equal([0, 60_000, 0, 0]);
      expect((await shop.events('commission_added')).length).to.equal(60);
    });

    const clearing = () => ({ storage: shop.database, settings: openSettings(shop.database), clock: new TestClock(shop.now) });

    it('is granted by the clearing job, in any number, and in part where the job is stopped between batches', async () => {
      await shop.record(...Array.from({ length: 1100 }, (_, index) => fresh(index + 1)));
      shop.now += 14 * day;
      const stopping = new AbortController();
      const settings = openSettings(shop.database);
      const current = () => (stopping.abort(), settings.current());
      expect(await clearDueCommissions({ ...clearing(), settings: { current }, signal: stopping.signal })).to.equal(500);
      expect(await clearDueCommissions(clearing())).to.equal(600);
      expect(await clearDueCommissions(clearing())).to.equal(0);
    });

    it('is granted by a timer that survives a failure and finishes its run when it is stopped', async () => {
      await shop.record(fresh(1));
      shop.now += 14 * day;
      const lines: string[] = [];
      const logged = new Promise<void>((resolve) => {
        const stream = new Writable({
          write(chunk: Buffer, _encoding, done) {
            lines.push(chunk.toString());
            if (lines.length === 2) resolve();
            done();
          },
        });
        let failures = 1;
        const settings = openSettings(shop.database);
        const current = () => (failures-- > 0 ? Promise.reject(new Error('the disk is full')) : settings.current());
        timer = startCommissionClearing({ ...clearing(), settings: { current }, log: pino(stream), everyMilliseconds: 1 });
      });
      await logged;
      await timer?.stop();
      expect(lines[0]).to.include('granting due commissions failed').and.to.include('the disk is full');
      expect(lines[1]).to.include('commission was granted').and.to.include('"orders":1');
      expect(await shop.balances(couponId)).to.deep.equal([0, 1000, 0, 0]);
    });
    let timer: ReturnType<typeof startCommissionClearing> | undefined;

    it('is not granted in part when the transaction fails', async () => {
      await shop.record(fresh(1));
      shop.now += 14 * day;
      const before = await shop.everything();
      await failureOf(
        shop.database.write(async (transaction) => {
          await transaction.orders.claimDue(shop.now, 10);
          throw new Error('the power went out');
        }),
      );
      expect(await shop.everything()).to.equal(before);
      expect(await shop.grant()).to.equal(1);
    });
  });
});
