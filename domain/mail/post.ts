import type { Transaction } from '../ports.ts';
import type { NewMail, SendMail } from './mail.ts';

/** A mail about something that did not happen is never sent, and one about something that did is never lost. */
export async function postMail({ mails, afterCommit }: Transaction, mail: NewMail, send: SendMail): Promise<void> {
  const id = await mails.insert(mail);
  afterCommit(() => send({ ...mail, id }));
}
