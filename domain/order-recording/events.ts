import { type ShareChange, shareNote } from '../commission/commission.ts';
import type { CouponTerms } from '../coupons/terms.ts';
import type { NewEvent } from '../events/event.ts';
import { inWords, type Minor, toNumber } from '../money.ts';
import { type ChangeContext, describeChange, grantedDifference, type OrderChange } from '../orders/order-change.ts';

/** A coupon as a change affects it. */
export interface AffectedCoupon extends CouponTerms {
  /** Why the store bears the change, to complete "instead of TRAIL10, which". Absent where the owner does. */
  departure?: 'has changed hands since' | 'belonged to an affiliate who was erased';
}

/** The events of an order change, in feed order. */
export function orderEvents(change: OrderChange, coupon: AffectedCoupon, context: ChangeContext): NewEvent[] {
  const events = change.before === null ? [referral(change, coupon, context)] : [];
  const difference = grantedDifference(change);
  if (difference > 0) events.push(commission(added, { change, coupon, amount: difference, note: describeChange(change) }, context));
  if (difference < 0) events.push(commission(removed, { change, coupon, amount: -difference, note: describeChange(change) }, context));
  return events;
}

export function shareEvent(change: OrderChange, { difference }: ShareChange, coupon: AffectedCoupon, context: ChangeContext): NewEvent {
  const details = { change, coupon, amount: Math.abs(difference), note: shareNote(change, difference) };
  return commission(difference > 0 ? shareAdded : shareRemoved, details, context);
}

interface CommissionEventKind extends Pick<NewEvent, 'kind' | 'type'> {
  verb: string;
}

const added: CommissionEventKind = { kind: 'commission_added', type: 'commission.added', verb: 'added to' };
const removed: CommissionEventKind = { kind: 'commission_removed', type: 'commission.removed', verb: 'taken from' };
const shareAdded: CommissionEventKind = { kind: 'mla_commission_added', type: 'commission.mla_added', verb: 'added to' };
const shareRemoved: CommissionEventKind = { kind: 'mla_commission_removed', type: 'commission.mla_removed', verb: 'taken from' };

interface CommissionChange {
  change: OrderChange;
  coupon: AffectedCoupon;
  /** Above zero; the kind of the event has the direction. */
  amount: Minor;
  note: string;
}

function commission(
  { kind, type, verb }: CommissionEventKind,
  { change, coupon, amount, note }: CommissionChange,
  context: ChangeContext,
): NewEvent {
  const { orderId } = change.after;
  const { currency } = context.program;
  const { code, departure } = coupon;
  const account = departure === undefined ? code : `the store's account instead of ${code}, which ${departure}`;
  const info = `${inWords(amount, currency)} was ${verb} ${account}: ${note}`;
  const number = toNumber(amount, currency);
  const data = { coupon_id: coupon.id, coupon: coupon.code, user_id: coupon.userId, amount: number, note, order_id: orderId };
  return { kind, info, ...webhookPart(type, coupon, data), ...ofOrder(orderId, context) };
}

function referral({ after: { orderId, commission } }: OrderChange, coupon: CouponTerms, context: ChangeContext): NewEvent {
  const earned = toNumber(commission, context.program.currency);
  const data = { order_id: orderId, coupon_id: coupon.id, coupon: coupon.code, user_id: coupon.userId, commission: earned };
  const info = `Order ${orderId} was referred by ${coupon.code}.`;
  return { kind: 'referral', info, ...webhookPart('referral.created', coupon, data), ...ofOrder(orderId, context) };
}

/** Events of a coupon without an affiliate are in the feed only: webhooks are about affiliates. */
const webhookPart = (
  type: NewEvent['type'],
  { userId }: CouponTerms,
  data: NonNullable<NewEvent['data']>,
): Pick<NewEvent, 'type' | 'data'> => (userId === null ? { type: null, data: null } : { type, data });

const ofOrder = (orderId: number, { userId, now }: ChangeContext) => ({ objectType: 'order' as const, objectId: orderId, userId, at: now });
