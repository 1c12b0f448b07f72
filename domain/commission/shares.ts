import type { Movement } from '../ledger/movement.ts';
import { directed } from '../ledger/order-movements.ts';
import type { Minor } from '../money.ts';
import type { Share } from '../orders/order.ts';
import { becomesGranted, grantedDifference, noteOf, type Step } from '../orders/order-change.ts';
import { tierShareOf } from './commission.ts';

export interface ShareChange {
  share: Share;
  difference: Minor;
}

/** A step that leaves what is granted as it is leaves the shares alone. */
export const touchesShares = (step: Step): boolean => becomesGranted(step) || grantedDifference(step) !== 0;

/** Shares follow what is granted: whoever has one loses it with a reversal and gets it back with a revival, at the same rate. */
export const shareChanges = ({ after }: Step, shares: readonly Share[]): ShareChange[] =>
  shares.map((share) => {
    const amount = after.commissionStatus === 'granted' ? tierShareOf(after.commission, share.rateThousandths) : 0;
    return { share: { ...share, amount }, difference: amount - share.amount };
  });

export const shareNote = (step: Step, difference: Minor): string =>
  difference > 0 ? `Share of the commission of order ${step.after.orderId}.` : noteOf(step);

export const shareMovement = (
  step: Step,
  { share, difference }: ShareChange,
  { userId, now }: { userId: number; now: number },
): Movement => ({
  couponId: share.couponId,
  reason: 'mla',
  orderId: share.orderId,
  payoutId: null,
  userId,
  note: shareNote(step, difference),
  at: now,
  ...directed('store', 'unpaid', difference),
});
