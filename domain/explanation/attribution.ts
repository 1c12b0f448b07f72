import type { StoredClick } from '../clicks/repository.ts';
import { dateTimeInWords } from '../dates.ts';
import type { SubscriptionPayment } from '../orders/credit-link.ts';
import { type CreditedVia, holdsFor, type LifetimeLink, type Order } from '../orders/order.ts';
import type { CouponLabel } from './label.ts';
import { quantityInWords } from './steps.ts';

/** What could have been credited, as it is stored now. */
export interface StoredCandidates {
  link: LifetimeLink | undefined;
  /** Within the attribution window, newest first. */
  clicks: readonly StoredClick[];
  /** Which payment of a subscription it is. */
  payment: SubscriptionPayment | undefined;
}

export interface Candidate {
  via: CreditedVia;
  won: boolean;
  coupon: CouponLabel;
  /** Null for a coupon that was used. */
  at: number | null;
  campaign: string | null;
  text: string;
}

export interface ExplainedAttribution {
  text: string;
  candidates: Candidate[];
}

const laterRule = 'when the order was recorded it did not count:';

/** The credited coupon is stored with the order. Why other candidates lost follows from the rules, as far as what is stored now shows it. */
export function explainAttribution(
  order: Order,
  { link, clicks, payment }: StoredCandidates,
  labelOf: (couponId: number) => CouponLabel,
  zone: string,
): ExplainedAttribution {
  const candidates: Candidate[] = [];
  const add = (candidate: Omit<Candidate, 'text' | 'coupon'>, couponId: number, what: string, reason: string): void => {
    const coupon = labelOf(couponId);
    const text = `${what} ${coupon.text} ${candidate.won ? 'won' : 'lost'}: ${reason}.`;
    candidates.push({ ...candidate, coupon, campaign: coupon.party && candidate.campaign, text });
  };
  const time = (at: number): string => dateTimeInWords(at, zone);

  const won = order.creditedVia === 'lifetime';
  const madeIt = !won && link?.couponId === order.couponId && link.createdAt === order.placedAt;
  if (link && (won || (holdsFor(link, order) && !madeIt))) {
    const reason = won
      ? 'a lifetime link counts before clicks and coupons'
      : `${laterRule} lifetime links were off, its coupon was not published, or the order that made it arrived later`;
    add(
      { via: 'lifetime', won, at: link.createdAt, campaign: null },
      link.couponId,
      `The lifetime link of ${time(link.createdAt)} to`,
      reason,
    );
  }
  const winner = order.creditedVia === 'referral_link' ? findWinner(order, clicks) : undefined;
  for (const click of clicks) {
    const isEarlier = winner !== undefined && clicks.indexOf(winner) < clicks.indexOf(click);
    const reason = clickReason(order.creditedVia, click === winner, isEarlier);
    const candidate = { via: 'referral_link', won: click === winner, at: click.clickedAt, campaign: click.campaign } as const;
    add(candidate, click.couponId, `The click of ${time(click.clickedAt)} through`, reason);
  }
  if (order.usedCouponId !== null)
    add(
      { via: 'coupon', won: order.creditedVia === 'coupon' && order.usedCouponId === order.couponId, at: null, campaign: null },
      order.usedCouponId,
      'The use of',
      useReason(order),
    );
  const { text: credited } = labelOf(order.couponId);
  const isRenewal = payment !== undefined && payment.number > 1;
  const sentence = isRenewal ? `It is credited to ${credited}, as the first was.` : attributionSentence(order, credited, candidates);
  return { text: payment ? `${paymentSentence(payment)} ${sentence}` : sentence, candidates };
}

/** The click that the order converted, which may have converted an earlier order. */
const findWinner = ({ orderId, couponId }: Order, clicks: readonly StoredClick[]): StoredClick | undefined => {
  const ofCoupon = clicks.filter((click) => click.couponId === couponId);
  return ofCoupon.find(({ convertedOrderId }) => convertedOrderId === orderId) ?? ofCoupon[0];
};

function clickReason(via: CreditedVia, won: boolean, isEarlier: boolean): string {
  if (won) return 'it was the latest click before the order';
  if (via === 'lifetime') return 'a lifetime link counts before clicks';
  if (isEarlier) return 'a later click counts before it';
  return `${laterRule} it arrived later, its coupon was not published, or the attribution window was another`;
}

const useReason = ({ creditedVia, usedCouponId, couponId }: Order): string =>
  ({
    lifetime: 'a lifetime link counts before a coupon',
    referral_link: 'a referral link counts before a coupon',
    coupon:
      usedCouponId === couponId ? 'no link counted before it' : 'the coupon of the first payment of the subscription counts before it',
  })[creditedVia];

function attributionSentence({ creditedVia }: Order, coupon: string, candidates: readonly Candidate[]): string {
  const credited = {
    lifetime: `The visitor's lifetime link to ${coupon} was credited.`,
    referral_link: `A click on the referral link of ${coupon} was credited.`,
    coupon: `The use of ${coupon} was credited.`,
  }[creditedVia];
  return candidates.some(({ won }) => won) ? credited : `${credited} It is not among what is stored now.`;
}

/** `This is payment 3 of a subscription, of which commission is paid for 12 payments within 12 months.` */
function paymentSentence({ number, maxPayments, maxMonths }: SubscriptionPayment): string {
  const payments = maxPayments === 0 ? 'all payments' : quantityInWords(maxPayments, 'payment');
  const months = maxMonths === 0 ? '' : ` within ${quantityInWords(maxMonths, 'month')}`;
  return `This is payment ${number} of a subscription, of which commission is paid for ${payments}${months}.`;
}
