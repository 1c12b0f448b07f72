import type { Minor } from '../money.ts';
import type { Order } from './order.ts';

/** One order's way from what was kept to what is true now. */
export interface Step {
  /** Null when it is recorded for the first time. */
  before: Order | null;
  after: Order;
}

const granted = (order: Order | null): Minor => (order?.commissionStatus === 'granted' ? order.commission : 0);

/** By how much more, or less, is granted after the step. */
export const grantedDifference = ({ before, after }: Step): Minor => granted(after) - granted(before);

export const becomesGranted = ({ before, after }: Step): boolean =>
  after.commissionStatus === 'granted' && before?.commissionStatus !== 'granted';

/** Why its commission is another, as people read it. */
export function noteOf(step: Step): string {
  const { before, after } = step;
  const order = `Order ${after.orderId}`;
  if (after.commissionStatus === 'reversed') return `${order} ${lossOf[after.status] ?? 'was refunded'}.`;
  if (becomesGranted(step)) return `${order} was cleared.`;
  if (before === null) return `${order} was recorded.`;
  if (before.commissionStatus === 'reversed') return `${order} was taken up again.`;
  return after.refunded > before.refunded ? `${order} was refunded in part.` : `${order} was changed.`;
}

const lossOf: Partial<Record<Order['status'], string>> = { cancelled: 'was cancelled', failed: 'failed' };
