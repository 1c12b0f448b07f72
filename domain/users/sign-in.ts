import { createHash } from 'node:crypto';
import type { MailRepository } from '../mail/mail.ts';
import type { Sender } from '../mail/mail-templates.ts';
import type { SecureRandom } from '../random.ts';
import type { Transaction, UnitOfWork } from '../unit-of-work.ts';
import { sendAccountNotice } from './account-notice.ts';
import { type DeviceRepository, issueDevice } from './device.ts';
import { issueToken, type OneTimeToken, type OneTimeTokenRepository, redeemToken } from './one-time-token.ts';
import { verifyPassword } from './password.ts';
import type { UserCredentials, UserRepository } from './repository.ts';
import { type CodeContext, type SecondFactorRepository, useSecondFactor } from './second-factor.ts';
import type { Session, SessionRepository } from './session.ts';
import type { User } from './user.ts';

/** How long a session counts as confirmed after its password, and a code where the user has a second factor, was given. */
export const confirmationMs = 10 * 60 * 1000;

const lifetimeMilliseconds = 12 * 60 * 60 * 1000;

export const sessionHash = (cookie: string): string => createHash('sha256').update(cookie).digest('hex');

/** A user whose password was verified, with its hash at that time. */
export interface VerifiedUser {
  user: User;
  passwordHash: string;
}

/** Null if the password is wrong. An unknown user (null) takes as long as a wrong password. Not in a query: no connection should wait for it. */
export async function verifyCredentials(found: UserCredentials | null, password: string): Promise<VerifiedUser | null> {
  const passwordHash = found?.passwordHash ?? null;
  const isRight = await verifyPassword(password, passwordHash);
  return isRight && found && passwordHash !== null ? { user: found.user, passwordHash } : null;
}

/** The session of a cookie and its user; null when it has ended. */
export async function findSession(
  storage: UnitOfWork<{ sessions: SessionRepository }>,
  cookie: string,
  now: number,
): Promise<{ session: Session; user: User } | null> {
  const found = await storage.query(({ sessions }) => sessions.withUserByHash(sessionHash(cookie)));
  return found?.user && found.session.expiresAt > now ? { session: found.session, user: found.user } : null;
}

/** The browser that signs in. */
export interface Browser {
  /** In words. */
  device: string;
  /** Shortened. */
  address: string;
  deviceCookie: string | undefined;
}

interface SessionContext {
  now: number;
  random: SecureRandom;
}

interface SessionRepositories {
  users: UserRepository;
  sessions: SessionRepository;
}

/**
 * Starts a session under a fresh secret, so that one planted before signing in is worth nothing. Null if the password was changed or the user
 * disabled since the password was verified: their sessions are ended already.
 */
export async function startSession(
  { users, sessions }: Transaction<SessionRepositories>,
  { user, passwordHash }: VerifiedUser,
  { device, address }: Pick<Browser, 'device' | 'address'>,
  { now, random }: SessionContext,
  confirmedUntil: number | null = null,
): Promise<{ cookie: string; session: Session } | null> {
  if ((await users.passwordHashOf(user.id)) !== passwordHash) return null;
  const cookie = random.bytes(32).toString('base64url');
  const csrfToken = random.bytes(32).toString('base64url');
  const session = {
    hash: sessionHash(cookie),
    userId: user.id,
    csrfToken,
    createdAt: now,
    expiresAt: now + lifetimeMilliseconds,
    confirmedUntil,
    codeConfirmedUntil: confirmedUntil,
    device,
    address,
    lastUsedAt: now,
  };
  await sessions.removeExpired(now);
  await sessions.insert(session);
  return { cookie, session };
}

export interface SignInContext extends SessionContext {
  browser: Browser;
  sender: Sender;
}

export interface SignInRepositories extends SessionRepositories {
  devices: DeviceRepository;
  mails: MailRepository;
}

export interface SignedIn {
  user: User;
  session: Session;
  cookie: string;
  deviceCookie: string;
}

/**
 * Starts a session after the password, and a code where the user has a second factor, so that it counts as confirmed. Makes the browser a device
 * of the user, who is told of a new one by mail. Null as `startSession`.
 */
export async function signIn(
  transaction: Transaction<SignInRepositories>,
  verified: VerifiedUser,
  { browser, sender, ...context }: SignInContext,
): Promise<SignedIn | null> {
  const { user } = verified;
  const started = await startSession(transaction, verified, browser, context, context.now + confirmationMs);
  if (!started) return null;
  const issued = await issueDevice(transaction, user.id, browser.deviceCookie, context);
  if (issued.isUnknown)
    await sendAccountNotice(
      transaction,
      user,
      { now: context.now, sender },
      {
        subject: 'a new sign-in to your account',
        paragraphs: [
          `your account was signed in to in a browser that we had not seen before: ${browser.device}, address ${browser.address}.`,
        ],
      },
    );
  return { user, ...started, deviceCookie: issued.cookie };
}

/** How long the page for the code stays open. */
const ticketLifetimeMs = 10 * 60 * 1000;

type TicketRepositories = { oneTimeTokens: OneTimeTokenRepository };

/** Proves on the second page of a sign-in that the password was right. Void when the password is changed. */
export const issueTicket = (
  transaction: Transaction<TicketRepositories>,
  { id: userId }: Pick<User, 'id'>,
  { now, random }: SessionContext,
): Promise<string> => issueToken(transaction, { purpose: 'second-factor', userId, lifetimeMs: ticketLifetimeMs }, now, random);

/** Signs in with a ticket, which is used up. Null if it is void, or as `startSession`. */
export async function signInByTicket(
  transaction: Transaction<SignInRepositories & TicketRepositories>,
  ticket: string,
  user: User,
  context: SignInContext,
): Promise<SignedIn | null> {
  const passwordHash = await transaction.users.passwordHashOf(user.id);
  const redeemed: OneTimeToken | null = await redeemToken(transaction, ticket, ['second-factor'], context.now);
  return redeemed?.userId === user.id && passwordHash !== null ? signIn(transaction, { user, passwordHash }, context) : null;
}

/** Signs in with a ticket and a code. `wrong` for a wrong code, null as `signInByTicket`. */
export async function signInByCode(
  transaction: Transaction<SignInRepositories & TicketRepositories & { secondFactors: SecondFactorRepository }>,
  { ticket, code, user }: { ticket: string; code: string; user: User },
  context: SignInContext & CodeContext,
): Promise<SignedIn | 'wrong' | null> {
  const isRight = await useSecondFactor(transaction, user, code, context);
  return isRight ? signInByTicket(transaction, ticket, user, context) : 'wrong';
}
