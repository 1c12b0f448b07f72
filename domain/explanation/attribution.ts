import type { StoredClick } from '../clicks/repository.ts';
import { localDateTime } from '../dates.ts';
import type { CreditedVia, LifetimeLink, Order } from '../orders/order.ts';
import type { CouponLabel } from './label.ts';

/** What could have been credited, as it is stored now. */
export interface StoredCandidates {
  link: LifetimeLink | undefined;
  /** Within the attribution window, newest first. */
  clicks: readonly StoredClick[];
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
  { link, clicks }: StoredCandidates,
  labelOf: (couponId: number) => CouponLabel,
  zone: string,
): ExplainedAttribution {
  const candidates: Candidate[] = [];
  const add = (candidate: Omit<Candidate, 'text' | 'coupon'>, couponId: number, what: string, reason: string): void => {
    const coupon = labelOf(couponId);
    const text = `${what} ${coupon.text} ${candidate.won ? 'won' : 'lost'}: ${reason}.`;
    candidates.push({ ...candidate, coupon, campaign: coupon.party && candidate.campaign, text });
  };
  const time = (at: number): string => localDateTime(at, zone).replace('T', ' ');

  if (link && (order.creditedVia === 'lifetime' || link.createdAt < order.placedAt)) {
    const won = order.creditedVia === 'lifetime';
    const reason = won
      ? 'a lifetime link counts before clicks and coupons'
      : `${laterRule} lifetime links were off, its coupon was not published, or it was made later`;
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
      { via: 'coupon', won: order.creditedVia === 'coupon', at: null, campaign: null },
      order.usedCouponId,
      'The use of',
      useReason(order),
    );
  return { text: attributionSentence(order, labelOf(order.couponId).text, candidates), candidates };
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

const useReason = ({ creditedVia }: Order): string =>
  ({
    lifetime: 'a lifetime link counts before a coupon',
    referral_link: 'a referral link counts before a coupon',
    coupon: 'no link counted before it',
  })[creditedVia];

function attributionSentence({ creditedVia }: Order, coupon: string, candidates: readonly Candidate[]): string {
  const credited = {
    lifetime: `The visitor's lifetime link to ${coupon} was credited.`,
    referral_link: `A click on the referral link of ${coupon} was credited.`,
    coupon: `The use of ${coupon} was credited.`,
  }[creditedVia];
  return candidates.some(({ won }) => won) ? credited : `${credited} It is not among what is stored now.`;
}
