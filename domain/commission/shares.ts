import type { Movement } from '../ledger/movement.ts';
import { directed } from '../ledger/order-movements.ts';
import type { Minor } from '../money.ts';
import type { Share } from '../orders/order.ts';
import { becomesGranted, describeChange, grantedDifference, type OrderChange } from '../orders/order-change.ts';
import { tierShareOf } from './commission.ts';

export interface ShareChange {
  share: Share;
  difference: Minor;
}

export const touchesShares = (change: OrderChange): boolean => becomesGranted(change) || grantedDifference(change) !== 0;

/** Shares follow the granted commission: a reversal sets them to zero, a new grant restores them at the same rate. */
export const shareChanges = ({ after }: OrderChange, shares: readonly Share[]): ShareChange[] =>
  shares.map((share) => {
    const amount = after.commissionStatus === 'granted' ? tierShareOf(after.commission, share.rateThousandths) : 0;
    return { share: { ...share, amount }, difference: amount - share.amount };
  });

export const shareNote = (change: OrderChange, difference: Minor): string =>
  difference > 0 ? `Share of the commission of order ${change.after.orderId}.` : describeChange(change);

export const shareMovement = (
  change: OrderChange,
  { share, difference }: ShareChange,
  { userId, now }: { userId: number; now: number },
): Movement => ({
  couponId: share.couponId,
  reason: 'mla',
  orderId: share.orderId,
  payoutId: null,
  userId,
  note: shareNote(change, difference),
  at: now,
  ...directed('store', 'unpaid', difference),
});
