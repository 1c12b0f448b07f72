import type { MailRepository } from '../mail/mail.ts';
import { queueMail } from '../mail/mail-queue.ts';
import { composeMail, type Sender } from '../mail/mail-templates.ts';
import type { Program } from '../program.ts';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import { findToken, issueToken, type OneTimeToken, type OneTimeTokenRepository, redeemToken } from '../users/one-time-token.ts';
import type { UserRepository } from '../users/repository.ts';
import { createLogin } from './applicant-login.ts';
import type { Registration } from './registration.ts';
import { findApplicant, type SubmissionRepositories, submitApplication } from './submit.ts';

/** An application as the page takes it in. */
export interface OnlineApplication {
  email: string;
  displayName: string;
  website: string;
  promote: string;
  couponCode: string;
}

const confirmationLifetimeMs = 24 * 60 * 60 * 1000;

interface ConfirmationRepositories {
  users: UserRepository;
  mails: MailRepository;
  oneTimeTokens: OneTimeTokenRepository;
}

/**
 * Mails a link that confirms the address. Until it is used, the application is stored with the token alone. A person who is in the program
 * gets a mail that says so instead: the page must not tell who is.
 */
export async function requestConfirmation(
  transaction: Transaction<ConfirmationRepositories>,
  application: OnlineApplication,
  { now, random, sender }: { now: number; random: SecureRandom; sender: Sender },
): Promise<void> {
  const { email } = application;
  const user = await findApplicant(transaction.users, email);
  if (user && user.role !== 'customer') {
    const content = {
      to: { name: user.displayName, address: user.email },
      subject: 'you have an account already',
      paragraphs: [
        `an application to the affiliate program of ${sender.storeName} was sent with this address. You have an account already: your login is ${user.login}.`,
        'If you do not know your password, choose "Forgot your password?" on the sign-in page.',
      ],
      link: { text: 'Sign in', path: '/sign-in' },
    };
    return queueMail(transaction, composeMail(content, sender, now));
  }
  const request = { purpose: 'confirm-application', data: { ...application }, lifetimeMs: confirmationLifetimeMs } as const;
  const token = await issueToken(transaction, request, now, random);
  const content = {
    // Without the name, which a stranger may have written: the store would send it to any address.
    // To the address of a user as stored: one that only compares equal could be another mailbox.
    to: { name: '', address: user?.email ?? email },
    subject: 'confirm your application',
    paragraphs: [
      `you have applied to the affiliate program of ${sender.storeName}. Confirm that this is your address; the store sees your application after that. The link works for 24 hours.`,
      'If it was not you, ignore this mail: the application is then deleted.',
    ],
    link: { text: 'Confirm the application', path: `/confirm-application?token=${token}` },
  };
  await queueMail(transaction, composeMail(content, sender, now));
}

/** As `requestConfirmation` stored it. */
const applicationOf = ({ data }: OneTimeToken): OnlineApplication => data as unknown as OnlineApplication;

/** The application that the token confirms. Null if the token is not valid. */
export async function findUnconfirmed(
  db: { oneTimeTokens: OneTimeTokenRepository },
  token: string,
  now: number,
): Promise<OnlineApplication | null> {
  const found = await findToken(db, token, ['confirm-application'], now);
  return found && applicationOf(found);
}

/** Submits the application, and uses the token up. Null if the token is not valid. The same application, still undecided, is submitted once. */
export async function confirmApplication(
  transaction: Transaction<SubmissionRepositories & { oneTimeTokens: OneTimeTokenRepository }>,
  token: string,
  { program, now, random }: { program: Pick<Program, 'zone'>; now: number; random: SecureRandom },
): Promise<Registration | null> {
  const redeemed = await redeemToken(transaction, token, ['confirm-application'], now);
  if (!redeemed) return null;
  const application = applicationOf(redeemed);
  const { email, couponCode } = application;
  const before = await transaction.registrations.find({ email, couponCode });
  if (before?.status === 'pending') return before;
  const user = await findApplicant(transaction.users, email);
  const login = user?.login ?? (await createLogin(transaction.users, email, random));
  const { registration } = await submitApplication(
    transaction,
    { ...application, email: user?.email ?? email, login, at: now, isOnline: true },
    { program, now },
  );
  return registration;
}
