import { directed, type Movement, type Pool, type Reason } from '../ledger/movement.ts';
import type { Minor } from '../money.ts';
import type { CommissionStatus } from '../orders/order.ts';
import { describeChange, type OrderChange } from '../orders/order-change.ts';

interface Cause {
  userId: number;
  now: number;
}

const poolOf: Record<CommissionStatus, Pool> = { pending: 'pending_order', granted: 'unpaid', reversed: 'store' };

/**
 * How the commission of an order moves with a change. What lies in no pool lies with the store. `isHandedOver`: the coupon has changed hands
 * since the order was recorded, so that the store bears the difference.
 */
export function orderMovements(change: OrderChange, { userId, now }: Cause, isHandedOver = false): Movement[] {
  const { before, after } = change;
  const from: Pool = before ? poolOf[before.commissionStatus] : 'store';
  const to = poolOf[after.commissionStatus];
  const held = before?.commission ?? 0;
  const movements: Movement[] = [];
  const move = (source: Pool, target: Pool, amount: Minor, reason: Reason): void => {
    if (amount === 0) return;
    movements.push({
      couponId: after.couponId,
      reason,
      orderId: after.orderId,
      payoutId: null,
      userId,
      note: describeChange(change),
      at: now,
      ...directed(source, target, amount),
    });
  };
  if (isHandedOver) {
    move('store', 'handed_over', after.commission - held, to === 'store' ? 'order_reversed' : 'order_changed');
  } else if (from === 'store') {
    move('store', to, after.commission, to === 'unpaid' ? 'order_granted' : 'order');
  } else if (to === 'store') {
    move(from, 'store', held, 'order_reversed');
  } else {
    // The difference where the commission lies, then the whole of it goes on.
    move('store', from, after.commission - held, 'order_changed');
    if (from !== to) move(from, to, after.commission, 'order_granted');
  }
  return movements;
}
