import { applyTransition } from '../../domain/payouts/apply-transition.ts';
import { createPayout, type PayoutPolicy } from '../../domain/payouts/create.ts';
import { findTransition, type NamedPayout, type PublicStatus } from '../../domain/payouts/payout.ts';
import type { Shop } from './shop.ts';

/** Without automatic acceptance. */
const policy: Pick<PayoutPolicy, 'acceptance'> = { acceptance: null };

/** Requests everything that is unpaid of the affiliate's coupon. */
export const requestedPayout = (shop: Shop, { userId, couponId }: { userId: number; couponId: number }): Promise<NamedPayout> =>
  shop.database.write(async (transaction) => {
    const coupon = (await transaction.coupons.newestOf([userId], 100)).find(({ id }) => id === couponId);
    if (!coupon) throw new Error(`Coupon ${couponId} is not of user ${userId}.`);
    const payee = await transaction.users.byId(userId);
    if (!payee) throw new Error(`There is no user ${userId}.`);
    const details = await transaction.payoutDetails.ofUser(userId);
    const claim = { coupon, userId, payee, amount: coupon.balances.unpaid, details, invoiceId: 0 };
    return createPayout(transaction, claim, policy as PayoutPolicy, shop);
  });

export const changedPayout = (shop: Shop, payout: NamedPayout, to: PublicStatus): Promise<NamedPayout> =>
  shop.database.write((transaction) => {
    const step = findTransition(payout.status, to, 'admin');
    if (!step) throw new Error(`A payout cannot be changed from ${payout.status} to ${to}.`);
    return applyTransition(transaction, payout, step, shop);
  });
