import type { MailRepository } from '../mail/mail.ts';
import { queueMail } from '../mail/mail-queue.ts';
import { composeMail, type Sender } from '../mail/mail-templates.ts';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { WindowCounters } from '../window-counters.ts';
import { sendAccountNotice } from './account-notice.ts';
import { type DeviceRepository, issueDevice } from './device.ts';
import { isSameName } from './names.ts';
import { findToken, issueToken, type OneTimeTokenRepository, redeemToken, type TokenPurpose } from './one-time-token.ts';
import { setPassword } from './password.ts';
import type { UserRepository } from './repository.ts';
import type { SessionRepository } from './session.ts';
import type { User } from './user.ts';

const hour = 60 * 60 * 1000;
const invitationLifetimeMs = 72 * hour;
const resetLifetimeMs = hour;

const passwordPurposes: readonly TokenPurpose[] = ['set-password', 'reset-password'];

interface LinkContext {
  now: number;
  random: SecureRandom;
}

interface TokenRepositories {
  oneTimeTokens: OneTimeTokenRepository;
}

/** The page where a token of either purpose sets a password. */
export const passwordPage = (token: string): string => `/set-password?token=${token}`;

/** Returns the path of a page where the user can set a first password. Replaces the invitation before. */
export async function issueInvitation(
  transaction: Transaction<TokenRepositories>,
  { id: userId, email }: Pick<User, 'id' | 'email'>,
  { now, random }: LinkContext,
): Promise<string> {
  await transaction.oneTimeTokens.removeBy({ purpose: 'set-password', userId });
  const request = { purpose: 'set-password', userId, data: { email }, lifetimeMs: invitationLifetimeMs } as const;
  return passwordPage(await issueToken(transaction, request, now, random));
}

/** Mails a link to set a first password. Returns when it expires. */
export async function sendInvitation(
  transaction: Transaction<TokenRepositories & { mails: MailRepository }>,
  user: User,
  { now, random, sender }: LinkContext & { sender: Sender },
): Promise<number> {
  const path = await issueInvitation(transaction, user, { now, random });
  const content = {
    to: { name: user.displayName, address: user.email },
    subject: 'set your password',
    paragraphs: [
      `you have an account in the affiliate program of ${sender.storeName}. Your login is ${user.login}.`,
      'Set a password to see your orders and to be paid. The link works once, for 72 hours.',
    ],
    link: { text: 'Set your password', path },
  };
  await queueMail(transaction, composeMail(content, sender, now));
  return now + invitationLifetimeMs;
}

const mailsPerHour = 3;

/** Counts a mail with a link to the account of a user. Returns the seconds until the next one is allowed; 0 when this one is. */
export async function countLinkMail(counters: WindowCounters, userId: number): Promise<number> {
  const { count, secondsLeft } = await counters.hit(`password-mails:${userId}`, hour / 1000);
  return count > mailsPerHour ? secondsLeft : 0;
}

/** Mails a link to set a new password. */
export async function sendPasswordReset(
  transaction: Transaction<TokenRepositories & { mails: MailRepository }>,
  { id: userId, email, displayName }: User,
  { now, random, sender }: LinkContext & { sender: Sender },
): Promise<void> {
  const request = { purpose: 'reset-password', userId, data: { email }, lifetimeMs: resetLifetimeMs } as const;
  const token = await issueToken(transaction, request, now, random);
  const content = {
    to: { name: displayName, address: email },
    subject: 'set a new password',
    paragraphs: [
      'a new password was requested for your account. The link works once, for one hour.',
      'If you did not request it, ignore this mail: nothing has changed.',
    ],
    link: { text: 'Set a new password', path: passwordPage(token) },
  };
  await queueMail(transaction, composeMail(content, sender, now));
}

/** The user whose password the token sets. Null if it is not valid, the user is disabled, or has another email address by now. */
export async function findPasswordLink(
  db: TokenRepositories & { users: UserRepository },
  token: string,
  now: number,
): Promise<User | null> {
  const found = await findToken(db, token, passwordPurposes, now);
  const user = found?.userId ? await db.users.byId(found.userId) : null;
  if (!found || !user || !isSameName(user.email, String(found.data['email']))) return null;
  return (await db.users.withCredentials(user.email)) ? user : null;
}

interface PasswordByLink {
  token: string;
  passwordHash: string;
  /** Of the browser. */
  deviceCookie: string | undefined;
}

interface LinkRepositories extends TokenRepositories {
  users: UserRepository;
  sessions: SessionRepository;
  devices: DeviceRepository;
  mails: MailRepository;
}

/**
 * Sets the password by a link, which is used up. Starts no session, and makes the browser a device of the user, which may sign in while others
 * fail. Null as `findPasswordLink`.
 */
export async function setPasswordByLink(
  transaction: Transaction<LinkRepositories>,
  { token, passwordHash, deviceCookie }: PasswordByLink,
  { now, random, sender }: LinkContext & { sender: Sender },
): Promise<{ deviceCookie: string } | null> {
  const user = await findPasswordLink(transaction, token, now);
  if (!user || !(await redeemToken(transaction, token, passwordPurposes, now))) return null;
  await setPassword(transaction, user.id, passwordHash);
  await sendPasswordNotice(transaction, user, { now, sender });
  const { cookie } = await issueDevice(transaction, user.id, deviceCookie, { now, random });
  return { deviceCookie: cookie };
}

/** Tells a user that the password was changed. */
export async function sendPasswordNotice(
  transaction: Transaction<{ mails: MailRepository }>,
  user: User,
  context: { now: number; sender: Sender },
): Promise<void> {
  await sendAccountNotice(transaction, user, context, {
    subject: 'your password was changed',
    paragraphs: ['the password of your account was changed. Other browsers are signed out; API keys stay valid.'],
  });
}
