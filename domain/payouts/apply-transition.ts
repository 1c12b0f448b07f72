import { dayOf } from '../dates.ts';
import { ApiError } from '../errors.ts';
import { payoutMail } from '../mail/payout-mail.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { inWords } from '../money.ts';
import type { ChangeContext } from '../orders/change-context.ts';
import type { Transaction } from '../ports.ts';
import { payoutEvent } from './events.ts';
import type { NamedPayout, Payout } from './payout.ts';
import type { PayoutTransition } from './transitions.ts';

/** Applies a transition with a conditional update: of concurrent callers one succeeds, and only that one moves money. */
export async function applyTransition(
  transaction: Transaction,
  before: NamedPayout,
  transition: PayoutTransition,
  context: ChangeContext,
  update: Partial<Pick<Payout, 'transactionId'>> = {},
): Promise<NamedPayout> {
  const after = { ...before, ...update, status: transition.to, ...paymentDate(transition, context) };
  if (!(await transaction.payouts.move(before, after))) throw new ApiError('svc_api_conflict');
  await recordTransition(transaction, after, transition, context);
  return after;
}

/** Decision 7: set on entering `paid`, null otherwise. */
export function paymentDate({ to }: PayoutTransition, { now, program }: ChangeContext): Pick<Payout, 'paidAt' | 'paidDay'> {
  return to === 'paid' ? { paidAt: now, paidDay: dayOf(now, program.zone) } : { paidAt: null, paidDay: null };
}

/** Writes the effects of a transition: ledger movement, event and mail. */
export async function recordTransition(
  transaction: Transaction,
  payout: NamedPayout,
  transition: PayoutTransition,
  context: ChangeContext,
): Promise<void> {
  const { now, userId } = context;
  const { id: payoutId, couponId, amount } = payout;
  if (transition.moves) {
    const note = `Payout ${payoutId}: ${transition.from ?? 'requested'} → ${transition.to}`;
    await transaction.ledger.append([
      { couponId, ...transition.moves, amount, reason: 'payout', orderId: null, payoutId, userId, note, at: now },
    ]);
  }
  if (transition.event) await notify(transaction, payout, transition.event, context);
}

async function notify(
  transaction: Transaction,
  payout: NamedPayout,
  event: NonNullable<PayoutTransition['event']>,
  context: ChangeContext,
): Promise<void> {
  const { program, now } = context;
  await transaction.events.record(payoutEvent(payout, event, context));
  const payee = await transaction.users.byId(payout.userId);
  if (!payee) return;
  const mail = {
    event,
    to: { name: payee.displayName, address: payee.email },
    amount: inWords(payout.amount, program.currency),
    couponCode: payout.couponCode,
    method: payout.method,
    payoutId: payout.id,
  };
  await queueMail(transaction, payoutMail(mail, program, now));
}
