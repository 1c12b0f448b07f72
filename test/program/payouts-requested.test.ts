import { expect } from 'chai';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { Locks, type PayoutRequestContext, requestPayout } from '../../domain/payouts/request.ts';
import { systemRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { Caller } from '../../domain/users/user.ts';
import { buildPayoutPolicy } from '../../site/program.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { masterKey } from '../support/service.ts';
import { order } from './samples.ts';
import { Shop } from './shop.ts';

const { settings } = buildSettings({ 'payouts.details_required': false });

onAnyEngine((engine) => {
  describe('a payout request during concurrent orders', () => {
    const shop = testFixture(() => Shop.open(engine));
    const owner = testFixture(() => shop.affiliate('TRAIL10'));

    const caller = async (): Promise<Caller> => {
      const user = await shop.database.read(({ users }) => users.byId(owner.userId));
      if (!user) throw new Error('There is no affiliate.');
      return { user, method: 'session', keyId: null, scopes: null };
    };

    /** A database in which something changes right after the first read. */
    const changingAfterRead = (happens: () => Promise<unknown>): UnitOfWork<Repositories> => ({
      query: async (work) => {
        const result = await shop.database.query(work);
        await happens();
        return result;
      },
      read: (work) => shop.database.read(work),
      write: (work) => shop.database.write(work),
    });

    const requesting = (storage: UnitOfWork<Repositories>): PayoutRequestContext => ({
      storage,
      policy: buildPayoutPolicy(settings, new Map()),
      locks: new Locks(),
      clock: { now: () => shop.now },
      secrets: createSecrets('payout_details', masterKey, systemRandom),
      change: shop,
      review: null,
      isConfirmed: null,
      saveOutcome: null,
      report: (_error, sentence) => expect.fail(sentence),
    });

    it('takes everything that is unpaid at the time of the write', async () => {
      await shop.record(order({ orderId: 1, couponCode: 'TRAIL10' }));
      const storage = changingAfterRead(() => shop.record(order({ orderId: 2, couponCode: 'TRAIL10' })));
      const outcome = await requestPayout({ caller: await caller(), couponId: owner.couponId }, requesting(storage));
      expect(outcome).to.have.nested.include({ kind: 'created', 'payout.amount': 2000 });
      expect(await shop.balances(owner.couponId)).to.deep.equal([0, 0, 2000, 0]);
    });

    it('is rejected when a refund has left nothing since the read', async () => {
      await shop.record(order({ orderId: 1, couponCode: 'TRAIL10' }));
      const storage = changingAfterRead(() => shop.record(order({ orderId: 1, couponCode: 'TRAIL10', refunded: 10_000 })));
      const outcome = await requestPayout({ caller: await caller(), couponId: owner.couponId }, requesting(storage));
      expect(outcome).to.have.nested.include({ kind: 'refused', 'error.code': 'svc_api_no_balance' });
      expect(await shop.balances(owner.couponId)).to.deep.equal([0, 0, 0, 0]);
    });
  });
});
