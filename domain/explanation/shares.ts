import { percentOf } from '../commission/commission.ts';
import { inWords } from '../money.ts';
import type { Order, Share } from '../orders/order.ts';
import type { CouponLabel } from './label.ts';
import { percentSentence } from './steps.ts';

export interface ExplainedShare {
  share: Share;
  coupon: CouponLabel;
  agrees: boolean;
  text: string;
}

/** Shares follow the granted commission. */
export function explainShare(share: Share, order: Order, coupon: CouponLabel, currency: string): ExplainedShare {
  const { tier, rateThousandths } = share;
  const isGranted = order.commissionStatus === 'granted';
  const agrees = share.amount === (isGranted ? percentOf(order.commission, rateThousandths) : 0);
  if (coupon.party === null) return { share, coupon, agrees, text: `Tier ${tier}: a share of another affiliate.` };
  const computed = isGranted
    ? percentSentence(order.commission, rateThousandths, currency)
    : `${inWords(0, currency)}, because the commission is not granted`;
  const difference = agrees ? '' : ` The stored share is ${inWords(share.amount, currency)}.`;
  return { share, coupon, agrees, text: `Tier ${tier}, ${coupon.text}: ${computed}.${difference}` };
}
