import type { MailRepository } from '../mail/mail.ts';
import type { Sender } from '../mail/mail-templates.ts';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { OneTimeTokenRepository } from './one-time-token.ts';
import { setPassword } from './password.ts';
import { sendPasswordNotice } from './password-links.ts';
import type { UserRepository } from './repository.ts';
import type { Session, SessionRepository } from './session.ts';
import { type Browser, startSession, type VerifiedUser } from './sign-in.ts';

interface PasswordChangeRepositories {
  users: UserRepository;
  sessions: SessionRepository;
  oneTimeTokens: OneTimeTokenRepository;
  mails: MailRepository;
}

interface PasswordChangeContext {
  now: number;
  random: SecureRandom;
  sender: Sender;
  browser: Browser;
}

/**
 * Sets a password in place of the verified one. All sessions end, and a new one starts: a copy of the old cookie is worth nothing. Null as
 * `startSession`.
 */
export async function changeOwnPassword(
  transaction: Transaction<PasswordChangeRepositories>,
  { user, passwordHash }: VerifiedUser,
  newHash: string,
  { now, random, sender, browser }: PasswordChangeContext,
): Promise<{ cookie: string; session: Session } | null> {
  if ((await transaction.users.passwordHashOf(user.id)) !== passwordHash) return null;
  await setPassword(transaction, user.id, newHash);
  await sendPasswordNotice(transaction, user, { now, sender });
  return startSession(transaction, { user, passwordHash: newHash }, browser, { now, random });
}
