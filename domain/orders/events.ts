import { type ShareChange, shareNote } from '../commission/shares.ts';
import type { CouponTerms } from '../coupons/terms.ts';
import type { NewEvent } from '../events/event.ts';
import { inWords, type Minor, toNumber } from '../money.ts';
import { grantedDifference, noteOf, type Step } from './order-change.ts';
import type { Surroundings } from './surroundings.ts';

/** What a step means for the affiliate, in the order in which it is told. */
export function orderNews(step: Step, coupon: CouponTerms, surroundings: Surroundings): NewEvent[] {
  const news = step.before === null ? [referral(step, coupon, surroundings)] : [];
  const difference = grantedDifference(step);
  if (difference > 0) news.push(commission(added, { step, coupon, amount: difference, note: noteOf(step) }, surroundings));
  if (difference < 0) news.push(commission(removed, { step, coupon, amount: -difference, note: noteOf(step) }, surroundings));
  return news;
}

export function shareNews(step: Step, { difference }: ShareChange, coupon: CouponTerms, surroundings: Surroundings): NewEvent {
  const change = { step, coupon, amount: Math.abs(difference), note: shareNote(step, difference) };
  return commission(difference > 0 ? shareAdded : shareRemoved, change, surroundings);
}

interface Told extends Pick<NewEvent, 'kind' | 'type'> {
  verb: string;
}

const added: Told = { kind: 'commission_added', type: 'commission.added', verb: 'added to' };
const removed: Told = { kind: 'commission_removed', type: 'commission.removed', verb: 'taken from' };
const shareAdded: Told = { kind: 'mla_commission_added', type: 'commission.mla_added', verb: 'added to' };
const shareRemoved: Told = { kind: 'mla_commission_removed', type: 'commission.mla_removed', verb: 'taken from' };

interface CommissionChange {
  step: Step;
  coupon: CouponTerms;
  /** Above zero; the event's name says which way. */
  amount: Minor;
  note: string;
}

function commission({ kind, type, verb }: Told, { step, coupon, amount, note }: CommissionChange, surroundings: Surroundings): NewEvent {
  const { orderId } = step.after;
  const { currency } = surroundings.program;
  const info = `${inWords(amount, currency)} was ${verb} ${coupon.code}: ${note}`;
  const number = toNumber(amount, currency);
  const data = { coupon_id: coupon.id, coupon: coupon.code, user_id: coupon.userId, amount: number, note, order_id: orderId };
  return { kind, info, ...telling(type, coupon, data), ...ofOrder(orderId, surroundings) };
}

function referral({ after: { orderId, commission } }: Step, coupon: CouponTerms, surroundings: Surroundings): NewEvent {
  const earned = toNumber(commission, surroundings.program.currency);
  const data = { order_id: orderId, coupon_id: coupon.id, coupon: coupon.code, user_id: coupon.userId, commission: earned };
  const info = `Order ${orderId} was referred by ${coupon.code}.`;
  return { kind: 'referral', info, ...telling('referral.created', coupon, data), ...ofOrder(orderId, surroundings) };
}

/** Webhooks tell of affiliates. Of a coupon that is assigned to nobody the feed tells alone. */
const telling = (type: NewEvent['type'], { userId }: CouponTerms, data: NonNullable<NewEvent['data']>): Pick<NewEvent, 'type' | 'data'> =>
  userId === null ? { type: null, data: null } : { type, data };

const ofOrder = (orderId: number, { userId, now }: Surroundings) => ({ objectType: 'order' as const, objectId: orderId, userId, at: now });
