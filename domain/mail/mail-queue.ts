import type { Transaction } from '../unit-of-work.ts';
import type { AttemptedMail, ClaimedMail, MailOutcome, MailRepository, NewMail } from './mail.ts';

/** The address of a user who is erased, at a domain that never exists. */
export const erasedAddress = (name: string): string => `${name}@erased.invalid`;

export const isErasedAddress = (address: string): boolean => address.endsWith(erasedAddress(''));

/** Sent by a worker after the commit: a mail about something that did not happen is never sent, and one about something that did is never lost. */
export async function queueMail({ mails }: Transaction<{ mails: MailRepository }>, mail: NewMail): Promise<void> {
  if (!isErasedAddress(mail.to.address)) await mails.insert(mail);
}

const minute = 60_000;
const hourMs = 60 * minute;

/** Sends the first at once. Those of the hour after it become one summary at its end, which says what the last one would. */
export async function queueHourly(
  transaction: Transaction<{ mails: MailRepository }>,
  topic: string,
  compose: (isSummary: boolean, at: number) => NewMail,
  now: number,
): Promise<void> {
  const { mails } = transaction;
  const newest = await mails.newestOf(topic);
  if (!newest || newest.createdAt + hourMs <= now) return queueMail(transaction, { ...compose(false, now), topic });
  if (newest.isWaiting && newest.createdAt > now) return mails.rewrite(newest.id, compose(true, newest.createdAt));
  const at = newest.createdAt + hourMs;
  return queueMail(transaction, { ...compose(true, at), topic });
}

/** The delay after each failed attempt. After the eighth, most of a day after the first, the mail has failed. */
const stepsInMinutes = [1, 5, 15, 60, 180, 360, 720];

/** After so many attempts, how far away the next one can be. */
export const maxRetryDelays: readonly number[] = [0, ...stepsInMinutes.map((step) => step * minute)];

/** What the result of an attempt means for the mail. */
export function attemptedMail(mail: ClaimedMail, outcome: MailOutcome, now: number): AttemptedMail {
  if (outcome.kind === 'sent') return { mail, sentAt: now, nextAt: null, error: '' };
  const step = outcome.permanent ? undefined : stepsInMinutes[mail.attempt - 1];
  return { mail, sentAt: null, nextAt: step === undefined ? null : now + step * minute, error: outcome.message };
}
