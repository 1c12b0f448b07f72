import { dayOf } from '../dates.ts';
import { ApiError } from '../errors.ts';
import { payoutMail } from '../mail/payout-mail.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { inWords } from '../money.ts';
import type { Surroundings } from '../orders/surroundings.ts';
import type { Transaction } from '../ports.ts';
import { payoutNews } from './events.ts';
import type { NamedPayout, Payout } from './payout.ts';
import type { Step } from './steps.ts';

/** Moves a payout on. Of several who saw it in the same status one gets past the first statement; only that one moves money. */
export async function takeStep(
  transaction: Transaction,
  before: NamedPayout,
  step: Step,
  surroundings: Surroundings,
  learned: Partial<Pick<Payout, 'transactionId'>> = {},
): Promise<NamedPayout> {
  const after = { ...before, ...learned, status: step.to, ...paidOn(step, surroundings) };
  if (!(await transaction.payouts.move(before, after))) throw new ApiError('svc_api_conflict');
  await follow(transaction, after, step, surroundings);
  return after;
}

/** Decision 7: set on entering paid, and null again on leaving. */
export function paidOn({ to }: Step, { now, program }: Surroundings): Pick<Payout, 'paidAt' | 'paidDay'> {
  return to === 'paid' ? { paidAt: now, paidDay: dayOf(now, program.zone) } : { paidAt: null, paidDay: null };
}

/** What a step brings with it: the money, the news and the mail, all in the transaction of the step. */
export async function follow(transaction: Transaction, payout: NamedPayout, step: Step, surroundings: Surroundings): Promise<void> {
  const { now, userId } = surroundings;
  const { id: payoutId, couponId, amount } = payout;
  if (step.moves) {
    const note = `Payout ${payoutId}: ${step.from ?? 'requested'} → ${step.to}`;
    await transaction.ledger.append([
      { couponId, ...step.moves, amount, reason: 'payout', orderId: null, payoutId, userId, note, at: now },
    ]);
  }
  if (step.event) await tell(transaction, payout, step.event, surroundings);
}

async function tell(
  transaction: Transaction,
  payout: NamedPayout,
  event: NonNullable<Step['event']>,
  surroundings: Surroundings,
): Promise<void> {
  const { program, now } = surroundings;
  await transaction.events.record(payoutNews(payout, event, surroundings));
  const payee = await transaction.users.byId(payout.userId);
  if (!payee) return;
  const news = {
    event,
    to: { name: payee.displayName, address: payee.email },
    amount: inWords(payout.amount, program.currency),
    couponCode: payout.couponCode,
    method: payout.method,
    payoutId: payout.id,
  };
  await queueMail(transaction, payoutMail(news, program, now));
}
