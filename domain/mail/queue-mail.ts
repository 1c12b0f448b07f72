import type { Transaction } from '../ports.ts';
import type { NewMail } from './mail.ts';

/** Sent by a worker after the commit: a mail about something that did not happen is never sent, and one about something that did is never lost. */
export async function queueMail({ mails }: Transaction, mail: NewMail): Promise<void> {
  await mails.insert(mail);
}
