import { webhookEvents } from '../../generated/events.ts';
import type { CouponTermsRepository } from '../coupons/terms.ts';
import { dayOf, localDateTime } from '../dates.ts';
import { ApiError } from '../errors.ts';
import type { EventRepository, NewEvent } from '../events/event.ts';
import type { InvoiceRepository } from '../invoices/invoice.ts';
import type { LedgerRepository } from '../ledger/repository.ts';
import type { MailRepository } from '../mail/mail.ts';
import { queueMail } from '../mail/mail-queue.ts';
import { inWords, toNumber } from '../money.ts';
import type { ChangeContext } from '../orders/order-change.ts';
import { methodOf, type PayoutDetailsRepository } from '../payout-details/payout-details.ts';
import type { Transaction } from '../unit-of-work.ts';
import { type NamedPayout, type Payout, type PayoutStatus, type PayoutTransition, publicStatus } from './payout.ts';
import { payoutMail } from './payout-mail.ts';
import type { PayoutRepository } from './repository.ts';

export interface TransitionRepositories {
  payouts: PayoutRepository;
  payoutDetails: PayoutDetailsRepository;
  couponTerms: CouponTermsRepository;
  invoices: InvoiceRepository;
  ledger: LedgerRepository;
  events: EventRepository;
  mails: MailRepository;
}

/** Applies a transition with a conditional update: of concurrent callers one succeeds, and only that one moves money. */
export async function applyTransition(
  transaction: Transaction<TransitionRepositories>,
  before: NamedPayout,
  transition: PayoutTransition,
  context: ChangeContext,
  update: Partial<Pick<Payout, 'transactionId'>> = {},
): Promise<NamedPayout> {
  if (returnsAmount(transition)) await requireSameOwner(transaction, before);
  const followed = transition.to === 'pending' ? methodOf(await transaction.payoutDetails.ofUser(before.userId)) : {};
  const invoiceId = await chooseInvoice(transaction, before, transition);
  const after = { ...before, ...update, ...followed, invoiceId, status: transition.to, ...paymentDate(transition, context) };
  if (!(await transaction.payouts.move(before, after))) throw new ApiError('svc_api_conflict');
  await recordTransition(transaction, after, transition, context);
  return after;
}

const isWithdrawn = (status: PayoutStatus | null): boolean => status === 'cancel' || status === 'failed';

/** A payout that is cancelled or failed leaves its invoice to another one. One that is re-opened takes what waits for the next payout. */
function chooseInvoice({ invoices }: TransitionRepositories, { couponId, userId, invoiceId }: Payout, { from, to }: PayoutTransition) {
  if (isWithdrawn(to)) return 0;
  return isWithdrawn(from) ? invoices.nextFor(couponId, userId) : invoiceId;
}

/** Cancelled, failed, reversed or re-opened: the amount is, or was, the unpaid balance of the payee. */
const returnsAmount = ({ from, to }: PayoutTransition): boolean => isWithdrawn(from) || isWithdrawn(to) || from === 'paid';

async function requireSameOwner(
  { couponTerms }: TransitionRepositories,
  { id, userId, couponId, couponCode, displayName }: NamedPayout,
): Promise<void> {
  const [coupon] = await couponTerms.byIds([couponId]);
  if (coupon?.userId === userId) return;
  const message = `Payout ${id} is one of ${displayName}, and the coupon ${couponCode} has changed hands since. Its amount would move in the balance of another owner.`;
  throw new ApiError('svc_api_conflict', { message });
}

/** Set on entering `paid`, null otherwise. */
export function paymentDate({ to }: PayoutTransition, { now, program }: ChangeContext): Pick<Payout, 'paidAt' | 'paidDay'> {
  return to === 'paid' ? { paidAt: now, paidDay: dayOf(now, program.zone) } : { paidAt: null, paidDay: null };
}

/** Writes the effects of a transition: ledger movement, event and mail. */
export async function recordTransition(
  transaction: Transaction<TransitionRepositories>,
  payout: NamedPayout,
  transition: PayoutTransition,
  context: ChangeContext,
): Promise<void> {
  const { now, userId } = context;
  const { id: payoutId, couponId, amount } = payout;
  const note = `Payout ${payoutId}: ${transition.from ?? 'requested'} → ${transition.to}`;
  const movement = { couponId, amount, reason: 'payout', orderId: null, payoutId, userId, note, at: now } as const;
  await Promise.all([
    transition.moves && transaction.ledger.append([{ ...movement, ...transition.moves }]),
    transition.event && notify(transaction, payout, transition.event, context),
  ]);
}

async function notify(
  transaction: Transaction<TransitionRepositories>,
  payout: NamedPayout,
  event: NonNullable<PayoutTransition['event']>,
  context: ChangeContext,
): Promise<void> {
  const { program, now } = context;
  await transaction.events.record(payoutEvent(payout, event, context));
  const mail = {
    event,
    to: { name: payout.displayName, address: payout.email },
    amount: inWords(payout.amount, program.currency),
    couponCode: payout.couponCode,
    method: payout.method,
    payoutId: payout.id,
  };
  await queueMail(transaction, payoutMail(mail, program, now));
}

type PayoutEventType = NonNullable<PayoutTransition['event']>;

const verbs: Record<PayoutEventType, string> = {
  'payout.requested': 'was requested',
  'payout.created': 'was sent to its payment method',
  'payout.pending': 'is pending again',
  'payout.paid': 'was paid',
  'payout.reversed': 'was opened again after it had been paid',
  'payout.cancelled': 'was cancelled',
  'payout.reopened': 'was opened again',
  'payout.failed': 'could not be paid',
};

/** The event of a transition, for the feed and for webhooks. Never contains the destination. */
function payoutEvent(payout: NamedPayout, event: PayoutEventType, { program, now, userId }: ChangeContext): NewEvent {
  const { id, amount, couponId, couponCode, paidAt } = payout;
  const { currency, zone } = program;
  return {
    kind: webhookEvents[event].feedKind,
    type: event,
    objectType: 'payout',
    objectId: id,
    userId,
    info: `Payout ${id} of ${inWords(amount, currency)} for ${couponCode} ${verbs[event]}.`,
    data: {
      payout_id: id,
      user_id: payout.userId,
      coupon_id: couponId,
      amount: toNumber(amount, currency),
      method: payout.method,
      method_type: payout.methodType,
      // A payout that goes to a gateway is `pending` here too: the gateway's result is an event of its own.
      status: event === 'payout.requested' ? 'pending' : publicStatus(payout.status),
      date: localDateTime(payout.requestedAt, zone),
      date_paid: paidAt === null ? null : localDateTime(paidAt, zone),
    },
    at: now,
  };
}
