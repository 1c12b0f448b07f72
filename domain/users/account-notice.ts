import type { MailRepository } from '../mail/mail.ts';
import { queueMail } from '../mail/mail-queue.ts';
import { composeMail, type Sender } from '../mail/mail-templates.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { User } from './user.ts';

interface AccountNotice {
  /** Follows the name of the store. */
  subject: string;
  paragraphs: readonly string[];
  /** By default to set a new password, with a link. */
  advice?: string;
}

/** Tells a user what happened to the account, and what to do if it was someone else. */
export async function sendAccountNotice(
  transaction: Transaction<{ mails: MailRepository }>,
  { displayName, email }: Pick<User, 'displayName' | 'email'>,
  { now, sender }: { now: number; sender: Sender },
  { subject, paragraphs, advice }: AccountNotice,
): Promise<void> {
  const content = {
    to: { name: displayName, address: email },
    subject,
    paragraphs: [...paragraphs, advice ?? 'If it was not you, set a new password at once and write to the store.'],
    ...(advice === undefined && { link: { text: 'Set a new password', path: '/forgot-password' } }),
  };
  await queueMail(transaction, composeMail(content, sender, now));
}
