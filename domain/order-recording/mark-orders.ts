import { netOf } from '../commission/commission.ts';
import { isHandedOver } from '../coupons/handover.ts';
import type { CouponTerms } from '../coupons/terms.ts';
import type { ChangeContext, OrderChange } from '../orders/order-change.ts';
import type { OrderMark, OrderMarkRepository } from '../orders/order-mark.ts';
import type { Transaction } from '../unit-of-work.ts';
import { normalizeMailbox } from '../users/mailbox.ts';
import type { UserRepository } from '../users/repository.ts';
import type { IncomingOrder } from './incoming.ts';

export interface OrderMarkRepositories {
  users: UserRepository;
  orderMarks: OrderMarkRepository;
}

/** A written order with the customer's email, which goes no further than here. */
export interface RecordedOrder extends Pick<IncomingOrder, 'customerEmail'> {
  change: OrderChange;
}

/** Stores what signals need and later updates do not tell. Writes nothing about ordinary orders. */
export async function markOrders(
  { users, orderMarks }: Transaction<OrderMarkRepositories>,
  recorded: readonly RecordedOrder[],
  coupons: ReadonlyMap<number, CouponTerms>,
  { program: { risk } }: ChangeContext,
): Promise<void> {
  if (!risk) return;
  const expensive = recorded.filter(({ change }) => change.before === null && isExpensive(change.after, risk.highCommissionPercent));
  const selfReferred = risk.marksSelfReferrals ? await findSelfReferred(users, recorded, coupons) : [];
  const marks = [...expensive.map(markOf('high_commission')), ...selfReferred.map(markOf('self_referral'))];
  if (marks.length > 0) await orderMarks.add(marks);
}

const isExpensive = (order: OrderChange['after'], percent: number | null): boolean =>
  percent !== null && netOf(order) > 0 && order.commission > 0 && order.commission * 100 >= percent * netOf(order);

const markOf =
  (kind: OrderMark['kind']) =>
  ({ change: { after } }: RecordedOrder): OrderMark => ({
    orderId: after.orderId,
    couponId: after.couponId,
    kind,
    net: netOf(after),
    commission: after.commission,
  });

async function findSelfReferred(
  users: UserRepository,
  recorded: readonly RecordedOrder[],
  coupons: ReadonlyMap<number, CouponTerms>,
): Promise<RecordedOrder[]> {
  const ownerOf = ({ change: { after } }: RecordedOrder): number | null => {
    const coupon = coupons.get(after.couponId);
    return coupon && !isHandedOver(after, coupon) ? coupon.userId : null;
  };
  const compared = recorded.filter((order) => order.customerEmail !== undefined && ownerOf(order) !== null);
  if (compared.length === 0) return [];
  const owners = await users.byIds([...new Set(compared.flatMap((order) => ownerOf(order) ?? []))]);
  const mailboxes = new Map(owners.map(({ id, email }) => [id, normalizeMailbox(email)]));
  return compared.filter((order) => mailboxes.get(ownerOf(order) ?? 0) === normalizeMailbox(order.customerEmail ?? ''));
}
