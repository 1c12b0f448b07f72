import { ApiError } from '../errors.ts';
import { applicationMail } from '../mail/application-mail.ts';
import type { SendMail } from '../mail/mail.ts';
import { postMail } from '../mail/post.ts';
import type { Stores, Transaction } from '../ports.ts';
import type { Program } from '../program.ts';
import { admit, refuseTakenCode } from './admit.ts';
import { registrationEvent } from './event.ts';
import type { Decision, Registration } from './registration.ts';
import { stepBetween } from './steps.ts';

/** What is asked of an application. */
export interface DecisionAsked {
  to: Decision;
  message: string;
  sendEmail: boolean;
}

/** In which it happens: the program's rules, the moment, and who decides. */
export interface Surroundings {
  program: Program;
  now: number;
  userId: number;
  sendMail: SendMail;
}

/** The application, if it can be decided so as things stand. They may stand otherwise when it comes to deciding. */
export async function decidable(stores: Stores, id: number, to: Decision): Promise<Registration> {
  const registration = await stores.registrations.byId(id);
  if (!registration) throw new ApiError('svc_api_not_found');
  if (registration.status === to) throw new ApiError('svc_api_no_change');
  // Decision 8: the contract's table lets nothing come after accepted, and everything else lead to it.
  if (!stepBetween(registration.status, to)) throw new ApiError('svc_api_already_accepted');
  if (to === 'accepted') {
    if (registration.couponCode === '') throw new ApiError('svc_api_no_coupon_code');
    await refuseTakenCode(stores, registration.couponCode);
  }
  return registration;
}

/**
 * Decides what was found decidable. The status that was seen then is taken in the first statement: of several who decide at once, one gets
 * past it, and only that one makes users, coupons and mails.
 */
export async function decideRegistration(
  transaction: Transaction,
  seen: Registration,
  { to, message, sendEmail }: DecisionAsked,
  surroundings: Surroundings,
): Promise<Registration> {
  const { registrations, events } = transaction;
  const { now, userId, program, sendMail } = surroundings;
  // PostgreSQL cannot keep a NUL.
  const taken = { to, at: now, reviewedBy: userId, message: message.replaceAll('\0', '') };
  if (!(await registrations.decide(seen.id, seen.status, taken))) throw new ApiError('svc_api_conflict');
  if (to === 'accepted') await registrations.link(seen.id, await admit(transaction, seen, surroundings));

  const decided = await registrations.byId(seen.id);
  if (!decided) throw new ApiError('svc_api_not_found');
  await events.record(registrationEvent(decided, seen.status, { now, zone: program.zone, userId }));
  if (sendEmail) await postMail(transaction, applicationMail(decided, to, program, now), sendMail);
  return decided;
}
