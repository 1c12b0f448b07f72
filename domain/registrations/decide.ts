import { ApiError } from '../errors.ts';
import { applicationMail } from '../mail/application-mail.ts';
import { queueMail } from '../mail/queue-mail.ts';
import type { ChangeContext } from '../orders/change-context.ts';
import type { Stores, Transaction } from '../ports.ts';
import { admitApplicant, couponFor, refuseTakenCode } from './admit.ts';
import { registrationEvent } from './event.ts';
import type { Registration, RegistrationDecision } from './registration.ts';
import type { DecisionRecord } from './store.ts';
import { findTransition } from './transitions.ts';

/** What is asked of an application. */
export interface DecisionRequest {
  to: RegistrationDecision;
  message: string;
  sendEmail: boolean;
}

/** Finds an application that can be decided so now; its status may change before the decision is written. */
export async function findDecidable(stores: Stores, id: number, to: RegistrationDecision): Promise<Registration> {
  const registration = await stores.registrations.byId(id);
  if (!registration) throw new ApiError('svc_api_not_found');
  if (registration.status === to) throw new ApiError('svc_api_no_change');
  // Decision 8: the contract's table lets nothing come after accepted, and everything else lead to it.
  if (!findTransition(registration.status, to)) throw new ApiError('svc_api_already_accepted');
  if (to === 'accepted') {
    if (registration.couponCode === '') throw new ApiError('svc_api_no_coupon_code');
    await refuseTakenCode(stores, registration.couponCode);
  }
  return registration;
}

/**
 * Decides an application. The first statement updates the status conditionally: of concurrent decisions one succeeds, and only that one
 * creates users, coupons and mails.
 */
export async function decideRegistration(
  transaction: Transaction,
  seen: Registration,
  asked: DecisionRequest,
  context: ChangeContext,
): Promise<Registration> {
  const { registrations, events } = transaction;
  const { now, userId, program } = context;
  const taken = decisionOf(asked, context);
  if (!(await registrations.decide(seen.id, seen.status, taken))) throw new ApiError('svc_api_conflict');
  const admitted = asked.to === 'accepted' ? await admitApplicant(transaction, seen, now) : null;
  const decided = { ...seen, ...taken, userId: admitted ?? seen.userId };
  await events.record(registrationEvent(decided, seen.status, { now, zone: program.zone, userId }));
  if (asked.sendEmail) await queueMail(transaction, applicationMail(decided, asked.to, program, now));
  // After the event, so that the feed has the accepted application before the new affiliate.
  return admitted === null ? decided : withCoupon(transaction, decided, admitted, context);
}

/** Who was declined first and accepted later keeps the date of both. Message and reviewer are those of the latest decision. */
function decisionOf({ to, message }: DecisionRequest, { now, userId }: ChangeContext): DecisionRecord {
  const moment = to === 'accepted' ? { acceptedAt: now } : { declinedAt: now };
  // As storage will keep it: PostgreSQL takes no NUL, and UTF-8 no half of a character.
  return { status: to, message: Buffer.from(message).toString().replaceAll('\0', ''), reviewedBy: userId, ...moment };
}

async function withCoupon(transaction: Transaction, decided: Registration, userId: number, context: ChangeContext): Promise<Registration> {
  const couponId = await couponFor(transaction, decided, userId, context);
  await transaction.registrations.link(decided.id, { userId, couponId });
  return { ...decided, couponId };
}
