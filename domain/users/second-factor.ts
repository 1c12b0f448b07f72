import { createHash } from 'node:crypto';
import type { MailRepository } from '../mail/mail.ts';
import type { Sender } from '../mail/mail-templates.ts';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import { sendAccountNotice } from './account-notice.ts';
import type { Session, SessionRepository } from './session.ts';
import { isAdmin, type User } from './user.ts';

/** Codes of an app (TOTP), asked for after the password. */
export interface SecondFactor {
  userId: number;
  encryptedSecret: string;
  /** The time step of the last accepted code. Codes of it and of earlier ones are refused. */
  lastStep: number;
  createdAt: number;
}

export interface SecondFactorRepository {
  ofUser(userId: number): Promise<SecondFactor | null>;
  save(factor: SecondFactor): Promise<void>;
  /** Of concurrent calls for one step, one returns true. */
  useStep(userId: number, step: number): Promise<boolean>;
  /** With the recovery codes. False if there was none. */
  remove(userId: number): Promise<boolean>;
  countRecoveryCodes(userId: number): Promise<number>;
  replaceRecoveryCodes(userId: number, hashes: readonly string[]): Promise<void>;
  /** Of concurrent calls for one code, one returns true. */
  useRecoveryCode(userId: number, hash: string): Promise<boolean>;
}

/** The values of the setting `security.second_factor`. */
export type SecondFactorPolicy = 'off' | 'optional' | 'admins';

export const isSecondFactorRequired = (user: Pick<User, 'role'>, policy: SecondFactorPolicy): boolean =>
  policy === 'admins' && isAdmin(user);

/** The time step whose code it is, or null. */
export type FindStep = (secret: string, code: string, now: number) => number | null;

interface Factors {
  secondFactors: SecondFactorRepository;
}

interface NoticeContext {
  now: number;
  sender: Sender;
}

export interface CodeContext extends NoticeContext {
  decrypt: (sealed: string, owner: number) => string;
  findStep: FindStep;
}

/** Uses up a code of the app, or a recovery code, which is told by mail. False if it is wrong or was used before. */
export async function useSecondFactor(
  transaction: Transaction<Factors & { mails: MailRepository }>,
  user: User,
  given: string,
  { decrypt, findStep, ...context }: CodeContext,
): Promise<boolean> {
  const { secondFactors } = transaction;
  const factor = await secondFactors.ofUser(user.id);
  if (!factor) return false;
  const code = normalizeCode(given);
  if (/^\d{6}$/.test(code)) {
    const step = findStep(decrypt(factor.encryptedSecret, user.id), code, context.now);
    return step !== null && secondFactors.useStep(user.id, step);
  }
  if (!(await secondFactors.useRecoveryCode(user.id, recoveryCodeHash(code)))) return false;
  const left = await secondFactors.countRecoveryCodes(user.id);
  await sendAccountNotice(transaction, user, context, {
    subject: 'a recovery code was used',
    paragraphs: [`a recovery code was used in place of a code of your app. You have ${left} left; make new ones in your account.`],
  });
  return true;
}

/**
 * Returns the recovery codes, which are stored as hashes alone. Replaces the factor and the codes before. Ends all other sessions: they were
 * started without a code.
 */
export async function switchOnSecondFactor(
  transaction: Transaction<Factors & { mails: MailRepository; sessions: SessionRepository }>,
  { user, session }: { user: User; session: Pick<Session, 'hash'> },
  { encryptedSecret, step }: { encryptedSecret: string; step: number },
  { random, ...context }: NoticeContext & { random: SecureRandom },
): Promise<string[]> {
  await transaction.secondFactors.save({ userId: user.id, encryptedSecret, lastStep: step, createdAt: context.now });
  await transaction.sessions.removeOf(user.id, session.hash);
  await sendAccountNotice(transaction, user, context, {
    subject: 'the second factor is on',
    paragraphs: ['from now on a code of your app is asked for when you sign in to your account. You are signed out in all other browsers.'],
  });
  return createRecoveryCodes(transaction, user.id, random);
}

/** False if there was none. */
export async function switchOffSecondFactor(
  transaction: Transaction<Factors & { mails: MailRepository }>,
  user: User,
  context: NoticeContext,
): Promise<boolean> {
  if (!(await transaction.secondFactors.remove(user.id))) return false;
  await sendAccountNotice(transaction, user, context, {
    subject: 'the second factor is off',
    paragraphs: ['the second factor of your account was removed. Your password alone is enough to sign in.'],
  });
  return true;
}

/** Told by mail. Returns the codes. */
export async function renewRecoveryCodes(
  transaction: Transaction<Factors & { mails: MailRepository }>,
  user: User,
  { random, ...context }: NoticeContext & { random: SecureRandom },
): Promise<string[]> {
  await sendAccountNotice(transaction, user, context, {
    subject: 'new recovery codes',
    paragraphs: ['new recovery codes were made for your account. The ones before no longer work.'],
  });
  return createRecoveryCodes(transaction, user.id, random);
}

const recoveryCodes = 10;
/** 32 characters that are not mistaken for each other: 16 of them are 80 bits. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 16;

/** Replaces the codes before. */
async function createRecoveryCodes({ secondFactors }: Transaction<Factors>, userId: number, random: SecureRandom): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () =>
    Array.from({ length: codeLength }, () => alphabet[random.below(alphabet.length)]).join(''),
  );
  await secondFactors.replaceRecoveryCodes(userId, codes.map(recoveryCodeHash));
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
}

/** People type spaces, hyphens and small letters. */
const normalizeCode = (given: string): string => given.replaceAll(/[\s-]/g, '').toUpperCase();

/** A fast hash will do, because the codes are random and long. */
const recoveryCodeHash = (code: string): string => createHash('sha256').update(normalizeCode(code)).digest('hex');
