import { type CouponCreationRepositories, createCoupon } from '../coupons/create.ts';
import { ApiError } from '../errors.ts';
import type { MailRepository, NewMail } from '../mail/mail.ts';
import { queueMail } from '../mail/mail-queue.ts';
import type { ChangeContext } from '../orders/order-change.ts';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import { findTakenName, isSameName } from '../users/names.ts';
import type { OneTimeTokenRepository } from '../users/one-time-token.ts';
import { issueInvitation } from '../users/password-links.ts';
import type { UserRepository } from '../users/repository.ts';
import type { User } from '../users/user.ts';
import { createLogin, isApplicantLogin } from './applicant-login.ts';
import { applicationMail } from './decision-mail.ts';
import { findTransition, type Registration, type RegistrationDecision, registrationEvent } from './registration.ts';
import type { DecisionRecord, RegistrationRepository } from './repository.ts';
import { findApplicant } from './submit.ts';

/** The decision that a reviewer requests. */
export interface DecisionRequest extends Decision {
  sendEmail: boolean;
}

interface Decision {
  to: RegistrationDecision;
  message: string;
}

interface DecisionRepositories extends CouponCreationRepositories {
  registrations: RegistrationRepository;
  mails: MailRepository;
  oneTimeTokens: OneTimeTokenRepository;
}

interface DecisionContext extends ChangeContext {
  random: SecureRandom;
}

/** Finds an application that can be decided so now; its status may change before the decision is written. */
export async function findDecidable(
  db: { registrations: RegistrationRepository; users: UserRepository },
  id: number,
  to: RegistrationDecision,
): Promise<Registration> {
  const registration = await db.registrations.byId(id);
  if (!registration) throw new ApiError('svc_api_not_found');
  if (registration.status === to) throw new ApiError('svc_api_no_change');
  // By the contract's table, accepted is final, and every other status may become accepted.
  if (!findTransition(registration.status, to)) throw new ApiError('svc_api_already_accepted');
  if (to === 'accepted') {
    if (registration.couponCode === '') throw new ApiError('svc_api_no_coupon_code');
    await refuseTakenCode(db, registration.couponCode);
    const user = await findAdmitted(db.users, registration);
    if (user && (await db.users.isDisabled(user.id))) throw new ApiError('svc_api_not_updated', { message: disabledMessage(user) });
  }
  return registration;
}

const disabledMessage = ({ id, displayName }: User): string =>
  `The applicant has an account, ${displayName} (user ${id}), which is disabled: nothing that acceptance gives could be used. Enable it first.`;

/**
 * Decides an application. The first statement updates the status conditionally: of concurrent decisions one succeeds, and only that one
 * creates users, coupons and mails.
 */
export async function decideRegistration(
  transaction: Transaction<DecisionRepositories>,
  seen: Registration,
  request: DecisionRequest,
  context: DecisionContext,
): Promise<Registration> {
  const { registrations, events } = transaction;
  const { now, userId, program } = context;
  const decision = decisionOf(request, context);
  if (!(await registrations.decide(seen.id, seen.status, decision))) throw new ApiError('svc_api_conflict');
  const addressee = request.sendEmail ? await findAddressee(transaction, seen, context) : null;
  const admitted = request.to === 'accepted' ? await admitApplicant(transaction, seen, context) : null;
  const decided = { ...seen, ...decision, userId: admitted ?? seen.userId };
  await events.record(registrationEvent(decided, seen.status, { now, zone: program.zone, userId }));
  if (addressee) {
    const { email, isInvited } = addressee;
    const passwordPath = isInvited && admitted !== null ? await issueInvitation(transaction, { id: admitted, email }, context) : null;
    await queueMail(transaction, composeDecisionMail({ ...seen, email }, { ...request, passwordPath }, context));
  }
  // After the event, so that the feed has the accepted application before the new affiliate.
  return admitted === null ? decided : withCoupon(transaction, decided, admitted, context);
}

/** The mail that informs the applicant. A preview composes the same one. */
export const composeDecisionMail = (
  seen: Registration,
  decision: Decision & { passwordPath: string | null },
  context: ChangeContext,
): NewMail =>
  applicationMail(
    { ...seen, ...decisionOf(decision, context) },
    { decision: decision.to, passwordPath: decision.passwordPath },
    context.program,
    context.now,
  );

/** Where the mail of a decision goes, and whether that of an acceptance has a link to set a password. Found before the applicant is admitted. */
export async function findAddressee(
  { users }: { users: UserRepository },
  seen: Registration,
  { program }: Pick<ChangeContext, 'program'>,
): Promise<{ email: string; isInvited: boolean }> {
  const user = await findAdmitted(users, seen);
  if (user && !isSameName(user.email, seen.email)) return { email: seen.email, isInvited: false };
  const needsPassword = user === null || !(await users.hasPassword(user.id));
  // As the user has it: an address that only compares equal could be another mailbox. Without `service.url` no mail has a link.
  return { email: user?.email ?? seen.email, isInvited: needsPassword && program.serviceUrl !== '' };
}

/** Who was declined first and accepted later keeps the date of both. Message and reviewer are those of the latest decision. */
function decisionOf({ to, message }: Decision, { now, userId }: ChangeContext): DecisionRecord {
  const moment = to === 'accepted' ? { acceptedAt: now } : { declinedAt: now };
  // As storage will keep it: PostgreSQL takes no NUL, and UTF-8 no half of a character.
  return { status: to, message: Buffer.from(message).toString().replaceAll('\0', ''), reviewedBy: userId, ...moment };
}

async function withCoupon(
  transaction: Transaction<DecisionRepositories>,
  decided: Registration,
  userId: number,
  context: ChangeContext,
): Promise<Registration> {
  const couponId = await couponFor(transaction, decided, userId, context);
  await transaction.registrations.link(decided.id, { userId, couponId });
  return { ...decided, couponId };
}

/** The user whom acceptance makes an affiliate: the one who applied, if they still exist; else the one with this email. Null for a new one. */
const findAdmitted = async (users: UserRepository, { userId, email }: Registration): Promise<User | null> =>
  (userId === null ? null : await users.byId(userId)) ?? findApplicant(users, email);

async function admitApplicant(
  { users, registrations }: Transaction<DecisionRepositories>,
  registration: Registration,
  context: DecisionContext,
): Promise<number> {
  const user = await findAdmitted(users, registration);
  const id = user?.id ?? (await createdFrom(users, registration, context));
  await registrations.fillProfile(id, registration);
  return id;
}

/** The code that was asked for, on the terms of the store's template. It makes a customer an affiliate; admins stay admins. */
async function couponFor(
  transaction: Transaction<DecisionRepositories>,
  { couponCode: code }: Registration,
  ownerId: number,
  context: ChangeContext,
): Promise<number> {
  await refuseTakenCode(transaction, code);
  const { now: createdAt, program } = context;
  const terms = { ...program.couponTemplate, fixedPerOrder: null, fixedPerProduct: null };
  const { coupon } = await createCoupon(transaction, { code, userId: ownerId, status: 'publish', createdAt, ...terms }, context);
  return coupon.id;
}

/** Published or not: a draft with this code, published one day, would share it with the new affiliate's coupon, and orders with it. */
async function refuseTakenCode({ registrations }: { registrations: RegistrationRepository }, code: string): Promise<void> {
  if (await registrations.codeIsTaken(code))
    throw new ApiError('svc_api_not_updated', { message: `A coupon with the code ${code} exists already.` });
}

const maxLoginLength = 60;

/** A number is appended to a login that another user has. No user has the email as an email, but one may have it as a login. */
async function createdFrom(users: UserRepository, registration: Registration, { now, random }: DecisionContext): Promise<number> {
  const { email, displayName, isOnline } = registration;
  const isKept = !isOnline || isApplicantLogin(registration.login, email);
  const login = isKept ? registration.login : await createLogin(users, email, random);
  const person = { email, displayName, role: 'affiliate', passwordHash: null, registeredAt: now } as const;
  for (let number = 1; ; number += 1) {
    const user = { ...person, login: number === 1 ? login : `${login.slice(0, maxLoginLength - `${number}`.length)}${number}` };
    const taken = await findTakenName(users, user);
    if (taken === 'email') throw new ApiError('svc_api_not_updated', { message: `The email ${email} is the login of another user.` });
    const id = taken === null ? await users.insert(user) : null;
    if (id !== null) return id;
  }
}
