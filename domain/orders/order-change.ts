import type { Minor } from '../money.ts';
import type { Program } from '../program.ts';
import type { Order } from './order.ts';

/** The program's rules, the time, and the acting user (0 for the system). */
export interface ChangeContext {
  program: Program;
  now: number;
  userId: number;
}

/** An order before and after a write. */
export interface OrderChange {
  /** Null at the first recording. */
  before: Order | null;
  after: Order;
}

const granted = (order: Order | null): Minor => (order?.commissionStatus === 'granted' ? order.commission : 0);

/** The difference in granted commission; negative when commission is taken back. */
export const grantedDifference = ({ before, after }: OrderChange): Minor => granted(after) - granted(before);

export const becomesGranted = ({ before, after }: OrderChange): boolean =>
  after.commissionStatus === 'granted' && before?.commissionStatus !== 'granted';

/** The reason for a change of commission, for people to read. */
export function describeChange(change: OrderChange): string {
  const { before, after } = change;
  const order = `Order ${after.orderId}`;
  if (after.commissionStatus === 'reversed') return `${order} ${lossVerbs[after.status] ?? 'was refunded'}.`;
  if (becomesGranted(change)) return `${order} was cleared.`;
  if (before === null) return `${order} was recorded.`;
  if (before.commissionStatus === 'reversed') return `${order} was taken up again.`;
  return after.refunded > before.refunded ? `${order} was refunded in part.` : `${order} was changed.`;
}

const lossVerbs: Partial<Record<Order['status'], string>> = { cancelled: 'was cancelled', failed: 'failed' };
