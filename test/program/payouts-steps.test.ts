import { expect } from 'chai';
import { findStoredResponse, storeFirstResponse, updateResponse } from '../../domain/idempotency.ts';
import type { PayoutDetails } from '../../domain/payout-details/payout-details.ts';
import { changePayout, findChange, type PayoutResolution, resolvePayout } from '../../domain/payouts/change.ts';
import { createPayout, type PayoutPolicy } from '../../domain/payouts/create.ts';
import type { NamedPayout } from '../../domain/payouts/payout.ts';
import { failureOf } from '../db/gate.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { changedPayout, requestedPayout } from './payouts.ts';
import { order } from './samples.ts';
import { Shop } from './shop.ts';

const pay = async () => ({ status: 'paid', transactionId: '', notice: null }) as const;
const policyUpTo = (maxAmount: number, gateway: typeof pay | undefined): PayoutPolicy =>
  ({ labels: { paypal: 'By PayPal' }, acceptance: { maxAmount, gateway: 'bank', pay: gateway } }) as unknown as PayoutPolicy;
const storedDetails: PayoutDetails = {
  userId: 1,
  method: '',
  methodType: 'paypal',
  encryptedDetails: 'v1:…',
  firstSavedAt: 0,
  updatedAt: 0,
};

onAnyEngine((engine) => {
  describe('a payout', () => {
    const shop = testFixture(() => Shop.open(engine));
    const owner = testFixture(() => shop.affiliate('TRAIL10'));
    beforeEach(async () => {
      await shop.record(order({ orderId: 1, couponCode: 'TRAIL10' }));
    });

    const codeOf = async (work: Promise<unknown>): Promise<unknown> => ((await failureOf(work)) as { code?: string } | undefined)?.code;
    const create = (policy: PayoutPolicy, details: PayoutDetails | null = null): Promise<NamedPayout> =>
      shop.database.write(async (transaction) => {
        const [coupon] = await transaction.coupons.newestOf([owner.userId], 100);
        if (!coupon) throw new Error('There is no coupon.');
        const payee = await transaction.users.byId(owner.userId);
        if (!payee) throw new Error('There is no affiliate.');
        const claim = { coupon, userId: owner.userId, payee, amount: coupon.balances.unpaid, details, invoiceId: 0 };
        return createPayout(transaction, claim, policy, shop);
      });
    const change = (payout: NamedPayout, to: 'pending' | 'paid' | 'cancel') =>
      shop.database.write(async (transaction) => changePayout(transaction, await findChange(transaction, payout.id, to), shop));
    const resolve = (id: number, told: Partial<PayoutResolution> = {}) =>
      shop.database.write((transaction) => resolvePayout(transaction, id, { to: 'paid', atOnce: false, ...told }, shop));

    it('that was changed concurrently moves no money a second time', async () => {
      const seen = await requestedPayout(shop, owner);
      await changedPayout(shop, seen, 'paid');
      const before = await shop.everything();
      expect(await codeOf(changedPayout(shop, seen, 'cancel'))).to.equal('svc_api_conflict');
      expect(await shop.everything()).to.equal(before);
      expect(await shop.balances(owner.couponId)).to.deep.equal([0, 0, 0, 1000]);
    });

    it('is the only open payout of its coupon', async () => {
      await create(policyUpTo(0, undefined));
      await shop.record(order({ orderId: 2, couponCode: 'TRAIL10' }));
      expect(await codeOf(create(policyUpTo(0, undefined)))).to.equal('svc_api_in_progress');
    });

    it('keeps the payout method of the time of its request, or none', async () => {
      const first = await create(policyUpTo(0, undefined), storedDetails);
      expect(first).to.include({
        method: 'By PayPal',
        methodType: 'paypal',
        hasDetails: true,
        displayName: 'The trail10',
        couponCode: 'TRAIL10',
      });
      expect(first).to.include({ transactionId: '', invoiceId: 0, paidAt: null, paidDay: null, day: '2026-11-02' });
      await change(first, 'cancel');
      const second = await create(policyUpTo(0, undefined), { ...storedDetails, encryptedDetails: null });
      expect(second).to.include({ methodType: 'paypal', hasDetails: false });
      await change(second, 'cancel');
      expect(await create(policyUpTo(0, undefined))).to.include({ method: '', methodType: '', hasDetails: false });
    });

    it('whose gateway call was interrupted can be resolved after ten minutes', async () => {
      const { id } = await create(policyUpTo(1000, pay));
      expect(await codeOf(resolve(99))).to.equal('svc_api_not_found');
      expect(await codeOf(resolve(id))).to.equal('svc_api_in_progress');
      shop.now += 600_000;
      expect(await resolve(id, { transactionId: 'tx-7' })).to.include({ status: 'paid', transactionId: 'tx-7', paidAt: shop.now });
      expect(await codeOf(resolve(id))).to.equal('svc_api_invalid_transition');
    });

    it('can be resolved at once with --now, when the service has been stopped', async () => {
      const { id } = await create(policyUpTo(1000, pay));
      expect(await resolve(id, { to: 'pending', atOnce: true })).to.include({ status: 'pending', transactionId: '' });
    });
  });

  describe('an idempotency key', () => {
    const day = 24 * 60 * 60 * 1000;

    it('returns the first response for a day, for the same request only', async () => {
      const shop = await Shop.open(engine);
      const { database } = shop;
      const use = { userId: await shop.user('trail'), operation: 'post_payouts', key: 'k-1' };
      const ask = (request: string, now: number) => database.read((db) => findStoredResponse(db, { ...use, request }, now));
      const keep = (answer: unknown, now: number) =>
        database.write((transaction) => storeFirstResponse(transaction, { ...use, request: 'a' }, answer, now));
      expect(await ask('a', 1000)).to.equal(null);
      await keep({ id: 1 }, 1000);
      expect(await failureOf(keep({ id: 2 }, 2000))).to.include({ code: 'svc_api_in_progress' });
      expect(await ask('a', 1000 + day - 1)).to.deep.equal({ id: 1 });
      expect(((await failureOf(ask('b', 2000))) as { code?: string } | undefined)?.code).to.equal('svc_api_idempotency_mismatch');
      expect(await ask('b', 1001 + day)).to.equal(null);
      await database.write((transaction) => updateResponse(transaction, { ...use, request: 'a' }, { id: 3 }));
      expect(await ask('a', 2000)).to.deep.equal({ id: 3 });
      await keep({ id: 4 }, 1001 + day);
    });
  });
});
