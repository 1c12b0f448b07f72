import type { NewEvent } from '../events/event.ts';
import { inWords, type Minor, toNumber } from '../money.ts';
import type { Program } from '../program.ts';

interface CommissionChange {
  coupon: { id: number; code: string };
  /** Whom it concerns. */
  userId: number | null;
  /** Below zero when commission is taken away. */
  amount: Minor;
  note: string;
}

interface Cause {
  /** Who does it; 0 for the system. */
  userId: number;
  now: number;
  program: Pick<Program, 'currency'>;
}

/** Commission of a coupon that no order moves. */
export function commissionEvent({ coupon: { id, code }, userId, amount, note }: CommissionChange, cause: Cause): NewEvent {
  const { currency } = cause.program;
  const size = Math.abs(amount);
  const [kind, type, verb] =
    amount > 0
      ? (['commission_added', 'commission.added', 'added to'] as const)
      : (['commission_removed', 'commission.removed', 'taken from'] as const);
  return {
    kind,
    type,
    objectType: 'coupon',
    objectId: id,
    userId: cause.userId,
    info: `${inWords(size, currency)} was ${verb} ${code}: ${note}`,
    data: { coupon_id: id, coupon: code, user_id: userId, amount: toNumber(size, currency), note, order_id: null },
    at: cause.now,
  };
}
